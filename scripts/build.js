/** src → dist. Runs on `npm ci` too, so that `npx turnleaf` works in a fresh checkout. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

// A package installed from the registry brings dist/ and no compiler.
if (!existsSync('node_modules/typescript')) process.exit(0)
const { status } = spawnSync('node_modules/.bin/tsc', ['-p', 'tsconfig.dist.json'], { stdio: 'inherit' })
process.exit(status ?? 1)
