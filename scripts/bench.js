/** Compiles, then runs the benchmarks. */
import { spawnSync } from 'node:child_process'
import { compile } from './compile.js'

compile({ dist: 'always' })
const { status } = spawnSync(process.execPath, ['build/benchmarks/main.js', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exit(status ?? 1)
