/** Compiles, then runs every manifest of a folder against a server that answers as their APIs would. */
import { spawnSync } from 'node:child_process'
import { compile } from './compile.js'

compile({ dist: 'not' })
const { status } = spawnSync(
  process.execPath,
  ['--enable-source-maps', 'build/compat/main.js', ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
process.exit(status ?? 1)
