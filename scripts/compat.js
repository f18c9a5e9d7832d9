/** Compiles, then runs every manifest of a folder against a server that answers as their APIs would. */
import { spawnSync } from 'node:child_process'

const made = spawnSync('node_modules/.bin/tsc', ['-p', 'tsconfig.json'], { stdio: 'inherit' })
if (made.status !== 0) process.exit(made.status ?? 1)
const { status } = spawnSync(
  process.execPath,
  ['--enable-source-maps', 'build/compat/main.js', ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
process.exit(status ?? 1)
