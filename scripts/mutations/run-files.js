/** Runs compiled test files in one process; the first failure ends it with status 1 and its name. */
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

for (const file of process.argv.slice(2)) {
  process.send({ file })
  try {
    await import(pathToFileURL(file).href)
  } catch {
    process.exit(1)
  }
  await test('the end of a file', () => {})
}
// What the last test reports comes a moment later. Servers that tests share would keep the process alive.
setTimeout(() => process.send({ isWhole: true }, () => process.exit(0)), 100)
