/** Runs one compiled test file after the other, as the parent process names them. */
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { endOfFile } from './test-reporter.js'

let endLast = () => {}
for (;;) {
  process.send({ next: true })
  const [{ file }] = await once(process, 'message')
  if (file === undefined) break
  try {
    await import(pathToFileURL(join(resolve('build/test'), file)).href)
  } catch (error) {
    test(`${file} cannot be loaded`, () => Promise.reject(error))
  }
  const end = fileEnd()
  endLast()
  endLast = end.release
  await end.isReached
}
endLast()

/**
 * A test that is reached when those of the file are done, since they run one after the other. It ends only once the tests of
 * the next file are known: as soon as none is left, the runner calls what files want done after everything.
 */
function fileEnd() {
  let reach
  let release
  const isReached = new Promise((resolved) => (reach = resolved))
  const gate = new Promise((resolved) => (release = resolved))
  test(endOfFile, async () => {
    reach()
    await gate
  })
  return { isReached, release }
}
