/** Runs one compiled test file after the other, as the parent process names them. */
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { endOfFile } from './test-reporter.js'

for (;;) {
  process.send({ next: true })
  const [{ file }] = await once(process, 'message')
  if (file === undefined) break
  try {
    await import(pathToFileURL(join(resolve('build/test'), file)).href)
  } catch (error) {
    test(`${file} cannot be loaded`, () => Promise.reject(error))
  }
  // Tests run one after the other: this one is reached when those of the file are done.
  await test(endOfFile, () => {})
}
