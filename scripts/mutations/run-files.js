/** Runs compiled test files in one process; the first failure ends it with status 1 and its name. */
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { fileEnd } from '../test-file-end.js'

let endLast = () => {}
for (const file of process.argv.slice(2)) {
  process.send({ file })
  try {
    await import(pathToFileURL(file).href)
  } catch {
    process.exit(1)
  }
  const end = fileEnd()
  endLast()
  endLast = end.release
  await end.isReached
  // What the last test reports comes a moment later: a failure must not count for the next file.
  await setTimeout(20)
}
// Servers that tests share would keep the process alive.
process.send({ isWhole: true }, () => process.exit(0))
