/** Compiles, then records and tests public manifests of a folder, and counts which broken pagination the tests notice. */
import { spawnSync } from 'node:child_process'
import { compile } from './compile.js'

compile({ dist: 'not' })
const { status } = spawnSync(
  process.execPath,
  ['--enable-source-maps', 'build/compat/recorded-tests.js', ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
process.exit(status ?? 1)
