import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sleep } from '../../src/std/sleep.ts'

test('a wait ends with the reason of its signal, also where that came before it', async () => {
  const cancel = new AbortController()
  const waiting = sleep(60_000, cancel.signal)
  const reason = new Error('Cancelled.')
  cancel.abort(reason)
  await assert.rejects(waiting, reason)
  await assert.rejects(sleep(60_000, cancel.signal), reason)
})

test('a wait ends by itself', () => sleep(1, new AbortController().signal))

test('a wait that is longer than a timer of Node can be does not end at once', async () => {
  const cancel = new AbortController()
  const waiting = sleep(2 ** 31, cancel.signal)
  const first = await Promise.race([
    waiting.then(() => 'long'),
    sleep(20, new AbortController().signal).then(() => 'short'),
  ])
  assert.equal(first, 'short')
  const reason = new Error('Cancelled.')
  cancel.abort(reason)
  await assert.rejects(waiting, reason)
})
