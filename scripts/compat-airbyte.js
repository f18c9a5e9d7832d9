/** Compiles, then reads streams of public manifests with Turnleaf and with airbyte-cdk, and compares. */
import { spawnSync } from 'node:child_process'
import { compile } from './compile.js'

compile({ dist: 'not' })
const { status } = spawnSync(
  process.execPath,
  ['--enable-source-maps', 'build/compat/airbyte/main.js', ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
process.exit(status ?? 1)
