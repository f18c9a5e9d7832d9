/** The end of one test file among several that run in one process. */
import { test } from 'node:test'

export const endOfFile = 'the end of a file'

/**
 * A test that is reached when those of the file are done, since they run one after the other. It ends only once the tests of
 * the next file are known: as soon as none is left, the runner calls what files want done after everything.
 */
export function fileEnd() {
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
