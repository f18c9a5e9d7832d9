/** Runs one compiled test file after the other, as the parent process names them. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { fileEnd } from './test-file-end.js'

let endLast = () => {}
let used = cpuSeconds()
for (;;) {
  const now = cpuSeconds()
  process.send({ next: true, cpu: now - used })
  used = now
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

/** What this process used of the cores, and, where Linux says so, the processes that it started and that have ended. */
function cpuSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + childrenSeconds()
}

function childrenSeconds() {
  try {
    const [user, system] = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .slice(13, 15)
    return (Number(user) + Number(system)) / 100
  } catch {
    return 0
  }
}
