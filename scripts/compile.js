/** Sources → what programs and tests run: dist/ as it ships, build/ file by file. Ends the process where that fails. */
import { spawnSync } from 'node:child_process'

/** @param dist `if-stale`: only when the sources have changed since; `not`: it is not needed. `build` may be `not`, too. */
export function compile({ dist = 'if-stale', build } = {}) {
  if (dist !== 'not') run(process.execPath, ['scripts/build.js', ...(dist === 'if-stale' ? ['--if-stale'] : [])])
  if (build === 'not') return
  // Types are checked by `npm run check`, and those of src/ by a build of dist/ too.
  run('node_modules/.bin/tsc', ['-p', 'tsconfig.json', '--noCheck'])
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
