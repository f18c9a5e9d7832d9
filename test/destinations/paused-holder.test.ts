/** What to do about a process that holds a lock. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { heldBy } from '../../src/destinations/paused-holder.ts'
import { until } from '../helpers/until.ts'

const inUse = 'jsonl:rows is in use by process 12'

test('a process that runs, is gone or is not known only holds the lock', () => {
  const cause = new Error('locked')
  for (const pid of [process.pid, 999_999_999, null]) {
    const { code, message, hint, cause: kept } = heldBy(inUse, pid, cause)
    assert.deepEqual([code, message, kept], ['destinations/busy', `${inUse}.`, cause])
    assert.doesNotMatch(hint, /kill/)
  }
})

test('one that is paused has to be continued or ended', { skip: process.platform !== 'linux' }, async () => {
  const child = spawn('sleep', ['600'])
  const exited = once(child, 'exit')
  try {
    child.kill('SIGSTOP')
    const pid = Number(child.pid)
    const { code, message, hint } = await until('it is paused', () => {
      const error = heldBy(inUse, pid)
      return error.message.endsWith('paused.') ? error : undefined
    })
    assert.deepEqual([code, message], ['destinations/busy', `${inUse}. That process is paused.`])
    assert.match(hint, new RegExp(`kill -CONT ${pid}\\b.*kill -KILL ${pid}\\b`))
  } finally {
    child.kill('SIGKILL')
    await exited
  }
})
