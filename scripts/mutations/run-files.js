/** Runs compiled test files in one process; the first failure ends it with status 1 and its name. */
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

for (const file of process.argv.slice(2)) {
  process.send({ file })
  try {
    await import(pathToFileURL(file).href)
  } catch {
    process.exit(1)
  }
  await test('the end of a file', () => {})
  // What the last test reports comes a moment later: a failure must not count for the next file.
  await setTimeout(20)
}
// Servers that tests share would keep the process alive.
process.send({ isWhole: true }, () => process.exit(0))
