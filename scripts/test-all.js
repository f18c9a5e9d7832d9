/** One entry that imports every compiled test file: starting a process per file costs more than the tests. */
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const wanted = process.argv.slice(2)
const root = resolve('build/test')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js'))
  .filter((file) => wanted.length === 0 || wanted.some((word) => file.includes(word)))
  .toSorted()

if (files.length === 0) {
  console.error(`No test file has ${wanted.join(' or ')} in its path.`)
  process.exit(2)
}
for (const file of files) await import(pathToFileURL(join(root, file)).href)
