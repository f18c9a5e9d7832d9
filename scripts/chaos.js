/** Compiles, then kills syncs at random moments, many times, and compares what they landed. */
import { spawnSync } from 'node:child_process'

for (const [command, args] of [
  // What is killed is the package as it is published.
  [process.execPath, ['scripts/build.js']],
  ['node_modules/.bin/tsc', ['-p', 'tsconfig.json']],
]) {
  const made = spawnSync(command, args, { stdio: 'inherit' })
  if (made.status !== 0) process.exit(made.status ?? 1)
}
const { status } = spawnSync(
  process.execPath,
  ['--enable-source-maps', 'build/test/chaos/main.js', ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
process.exit(status ?? 1)
