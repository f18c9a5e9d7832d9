/** Types, lint, format: each tool's own words, then one exit code. */
import { spawnSync } from 'node:child_process'

const fix = process.argv.includes('--fix')
const tools = [
  ['biome', fix ? ['format', '--write', '.'] : ['format', '.']],
  ['tsc', ['--noEmit']],
  // The web app has the types of a browser instead of Node's.
  ['tsc', ['-p', 'tsconfig.builder.json']],
  ['oxlint', ['--type-aware', '--deny-warnings', ...(fix ? ['--fix'] : [])]],
]

const failed = tools.filter(([name, args]) => {
  const { status } = spawnSync(`node_modules/.bin/${name}`, args, { stdio: 'inherit' })
  return status !== 0
})
if (failed.length > 0) console.error(`check: ${failed.map(([name]) => name).join(', ')} found problems`)
process.exit(failed.length > 0 ? 1 : 0)
