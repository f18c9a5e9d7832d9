/** Compiles, then runs the benchmarks. */
import { spawnSync } from 'node:child_process'

for (const [command, args] of [
  [process.execPath, ['scripts/build.js']],
  ['node_modules/.bin/tsc', ['-p', 'tsconfig.json']],
]) {
  const made = spawnSync(command, args, { stdio: 'inherit' })
  if (made.status !== 0) process.exit(made.status ?? 1)
}
const { status } = spawnSync(process.execPath, ['build/benchmarks/main.js', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exit(status ?? 1)
