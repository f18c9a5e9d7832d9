/** One entry that imports the compiled test files it is given. */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

for (const file of process.argv.slice(2)) await import(pathToFileURL(join(resolve('build/test'), file)).href)
