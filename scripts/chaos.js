/** Compiles, then kills syncs at random moments, many times, and compares what they wrote. */
import { spawnSync } from 'node:child_process'
import { compile } from './compile.js'

// What is killed is the package as it is published.
compile({ dist: 'always' })
const { status } = spawnSync(
  process.execPath,
  ['--enable-source-maps', 'build/test/chaos/main.js', ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
process.exit(status ?? 1)
