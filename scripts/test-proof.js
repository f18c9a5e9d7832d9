/**
 * Runs the suites that draw what they test at random: whole from the usual seeds, which is what the tables in docs/ show
 * (TURNLEAF_WRITE_DOCS=1 writes them), then whole again from a random seed, which it prints. `-- --seed 4711` runs them
 * from that seed only, `-- shapes` only those with the word in their path.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({ options: { seed: { type: 'string' } }, allowPositionals: true })
const drawn = values.seed ?? String(1 + Math.floor(Math.random() * 1e6))
const isWriting = process.env.TURNLEAF_WRITE_DOCS === '1'
const seeds = values.seed !== undefined ? [drawn] : isWriting ? ['0'] : ['0', drawn]

// Those that ask how much of them to run.
const suites = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && readFileSync(`test/${file}`, 'utf8').includes('/helpers/proof.ts'))
  .map((file) => file.replace(/\.ts$/, '.js'))
  .filter((file) => positionals.length === 0 || positionals.some((word) => file.includes(word)))

let isGreen = suites.length > 0
for (const seed of seeds) {
  console.log(`TURNLEAF_SEED=${seed}, ${suites.length} files`)
  const { status } = spawnSync(process.execPath, ['scripts/test.js', ...suites], {
    stdio: 'inherit',
    env: { ...process.env, TURNLEAF_PROOF: '1', TURNLEAF_SEED: seed },
  })
  isGreen &&= status === 0
}
process.exit(isGreen ? 0 : 1)
