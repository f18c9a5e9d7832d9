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
