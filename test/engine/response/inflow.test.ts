import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openInflow } from '../../../src/engine/response/inflow.ts'

const half = new Uint8Array(512 * 1024)
const oneLess = half.subarray(1)
const oneByte = half.subarray(0, 1)

function opened() {
  const calls: string[] = []
  const call = (name: string) => () => void calls.push(name)
  const inflow = openInflow({ pause: call('pause'), resume: call('resume'), cancel: call('cancel') })
  return { ...inflow, calls }
}

test('inflow: the sender is held back from the first mebibyte that waits, once', () => {
  const { push, calls } = opened()
  push(half)
  push(oneLess)
  assert.deepEqual(calls, [])
  push(oneByte)
  push(half)
  assert.deepEqual(calls, ['pause'])
})

test('inflow: it goes on when less than half of that waits', async () => {
  const { push, chunks, calls } = opened()
  for (const chunk of [half, oneByte, oneLess]) push(chunk)
  assert.deepEqual(calls, ['pause'])
  await chunks.next()
  assert.deepEqual(calls, ['pause'])
  await chunks.next()
  assert.deepEqual(calls, ['pause', 'resume'])
  push(half)
  assert.deepEqual(calls, ['pause', 'resume'])
  push(oneByte)
  assert.deepEqual(calls, ['pause', 'resume', 'pause'])
})

test('inflow: chunks come in order, to a reader that is early too, and then the end', async () => {
  const { push, end, chunks } = opened()
  const early = chunks.next()
  push(half)
  push(oneByte)
  end()
  assert.deepEqual(await early, { done: false, value: half })
  assert.deepEqual(await chunks.next(), { done: false, value: oneByte })
  assert.deepEqual(await chunks.next(), { done: true, value: undefined })
  assert.deepEqual(await chunks.next(), { done: true, value: undefined })
})

test('inflow: a failure comes after what had come, and wakes a reader that waits', async () => {
  const { push, fail, chunks } = opened()
  push(oneByte)
  fail(new Error('gone'))
  assert.deepEqual(await chunks.next(), { done: false, value: oneByte })
  await assert.rejects(chunks.next(), { message: 'gone' })

  const other = opened()
  const waiting = other.chunks.next()
  other.fail(new Error('gone'))
  await assert.rejects(waiting, { message: 'gone' })
})

test('inflow: what is said after the end changes nothing', async () => {
  const { end, fail, chunks } = opened()
  end()
  fail(new Error('late'))
  assert.deepEqual(await chunks.next(), { done: true, value: undefined })
})

test('inflow: a reader that leaves cancels what is under way, drops what waits, and ends a read of its own', async () => {
  const { push, chunks, calls } = opened()
  push(oneByte)
  assert.deepEqual(await chunks.return?.(), { done: true, value: undefined })
  assert.deepEqual(calls, ['cancel'])
  assert.deepEqual(await chunks.next(), { done: true, value: undefined })

  const other = opened()
  const waiting = other.chunks.next()
  await other.chunks.return?.()
  assert.deepEqual(await waiting, { done: true, value: undefined })
})

test('inflow: after the end there is nothing to cancel', async () => {
  const { end, chunks, calls } = opened()
  end()
  await chunks.return?.()
  assert.deepEqual(calls, [])
})
