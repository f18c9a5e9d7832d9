import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { emitTo } from '../../src/cli/output.ts'
import { logMessage } from '../../src/protocol/messages.ts'

const stalled = () => new PassThrough({ highWaterMark: 1 })
const asOutput = (stream: PassThrough) => stream as unknown as NodeJS.WriteStream
const messages = [logMessage('INFO', 'a line')]

test('many that wait for a slow reader wait together, and continue when it reads', async () => {
  const [stream, stop] = [stalled(), new AbortController()]
  const emit = emitTo(asOutput(stream), stop.signal)
  const waits = Array.from({ length: 20 }, () => emit(messages))
  assert.ok(waits.every((wait) => wait instanceof Promise))
  assert.deepEqual([stream.listenerCount('drain'), getEventListeners(stop.signal, 'abort').length], [1, 1])
  stream.resume()
  for (const wait of waits) await wait
  assert.deepEqual([stream.listenerCount('drain'), getEventListeners(stop.signal, 'abort').length], [0, 0])
})

test('a reader that never reads again does not hold a cancelled read', async () => {
  const [stream, stop] = [stalled(), new AbortController()]
  const emit = emitTo(asOutput(stream), stop.signal)
  const waits = [emit(messages), emit(messages)]
  stop.abort()
  for (const wait of waits) await wait
  await emit(messages)
})
