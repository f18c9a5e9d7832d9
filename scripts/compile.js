/** Sources → what programs and tests run: dist/ as it ships, build/ file by file. Ends the process where that fails. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { steadyYaml } from './steady-yaml.js'

/** @param dist `if-stale`: only when the sources have changed since; `not`: it is not needed. `build` may be `not`, too. */
export function compile({ dist = 'if-stale', build } = {}) {
  if (dist !== 'not') run(process.execPath, ['scripts/build.js', ...(dist === 'if-stale' ? ['--if-stale'] : [])])
  if (build === 'not') return
  // Types are checked by `npm run check`, and those of src/ by a build of dist/ too.
  run('node_modules/.bin/tsc', ['-p', 'tsconfig.json', '--noCheck'])
  steadyParser()
  if (dist !== 'not') shippedProgram()
}

/** The parser of YAML, as the bundle has it. */
function steadyParser() {
  const folder = 'build/node_modules/js-yaml'
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, JSON.stringify({ name: 'js-yaml', type: 'module', exports: './js-yaml.mjs' }))
  writeFileSync(`${folder}/js-yaml.mjs`, steadyYaml(readFileSync('node_modules/js-yaml/dist/js-yaml.mjs', 'utf8')))
}

/** Tests start it often: as it ships it is one file, and here a hundred. */
function shippedProgram() {
  const program = 'destinations/duckdb/query-process.js'
  writeFileSync(`build/src/${program}`, `import '../../../../dist/${program}'\n`)
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
