/** Runs one compiled test file after the other, as the parent process names them. */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
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

/** What this process used of the cores, and, where Linux says so, every process that it started, ended or not. */
function cpuSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + endedSeconds(process.pid) + childrenOf(process.pid).reduce(addTree, 0)
}

function addTree(sum, pid) {
  const [user, system] = timesOf(pid)
  return childrenOf(pid).reduce(addTree, sum + user + system + endedSeconds(pid))
}

function endedSeconds(pid) {
  const [, , user, system] = timesOf(pid)
  return user + system
}

/** Its own user and system seconds, and those of its children that have ended. */
function timesOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '')
    return text
      .split(' ')
      .slice(11, 15)
      .map((ticks) => Number(ticks) / 100)
  } catch {
    return [0, 0, 0, 0]
  }
}

function childrenOf(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'))
    return lists.flatMap((list) => list.split(' ').filter((one) => one !== ''))
  } catch {
    return []
  }
}
