import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { openSignal } from '../../../src/engine/pages/open-signal.ts'

test('a signal aborts with the one it follows, for the same reason', () => {
  const leader = new AbortController()
  const [one, other] = [openSignal(leader.signal), openSignal(leader.signal)]
  leader.abort(new Error('enough'))
  assert.equal(one.signal.reason, leader.signal.reason)
  assert.equal(other.signal.reason, leader.signal.reason)
})

test('a signal that follows one aborted before is aborted', () => {
  assert.equal(openSignal(AbortSignal.abort('too late')).signal.reason, 'too late')
})

test('a signal that ends alone leaves the others and the one it follows', () => {
  const leader = new AbortController()
  const [one, other] = [openSignal(leader.signal), openSignal(leader.signal)]
  one.cancel()
  assert.equal(one.signal.aborted, true)
  assert.equal((one.signal.reason as Error).name, 'AbortError')
  assert.equal(other.signal.aborted, false)
  assert.equal(leader.signal.aborted, false)
})

test('a signal may follow none', () => {
  const alone = openSignal(undefined)
  assert.equal(alone.signal.aborted, false)
  alone.cancel()
  assert.equal(alone.signal.aborted, true)
})

test('many that follow one signal are one listener of it', () => {
  const leader = new AbortController()
  for (let count = 0; count < 100; count++) openSignal(leader.signal)
  assert.equal(getEventListeners(leader.signal, 'abort').length, 1)
})
