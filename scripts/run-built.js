/** Compiles, then runs a program of build/ with the arguments of this one. */
import { spawnSync } from 'node:child_process'
import { compile } from './compile.js'

export function runBuilt(file, options) {
  compile(options)
  const args = ['--enable-source-maps', `build/${file}`, ...process.argv.slice(2)]
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1)
}
