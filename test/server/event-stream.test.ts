import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { eventStream } from '../../src/server/event-stream.ts'

describe('a stream of events', () => {
  test('gives signs of life where nothing happens', async () => {
    let isEnded = false
    const listen = async () => () => void (isEnded = true)
    const reply = await eventStream(listen, new AbortController().signal, 1)
    let heard = ''
    for await (const text of (reply.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      heard += text
      if (heard.endsWith(':\n\n:\n\n')) break
    }
    assert.equal(heard, 'retry: 1000\n\n:\n\n:\n\n')
    assert.ok(isEnded)
  })

  test('ends for a reader who does not read, instead of growing', async () => {
    let isEnded = false
    let send = (_event: unknown) => {}
    const reply = await eventStream(async (given) => {
      send = given
      return () => void (isEnded = true)
    }, new AbortController().signal)
    for (let index = 0; index < 2000; index++) send({ index })
    assert.ok(isEnded)
    const text = await reply.text()
    assert.ok(text.startsWith('retry: 1000\n\ndata: {"index":0}\n\n'))
    assert.ok(text.length < 50_000)
  })

  test('a client that disconnects before the response leaves nothing open', async () => {
    const hungUp = new AbortController()
    let isEnded = false
    const listen = async () => {
      const aborted = once(hungUp.signal, 'abort')
      hungUp.abort()
      await aborted
      return () => void (isEnded = true)
    }
    const reply = await eventStream(listen, hungUp.signal)
    assert.ok(isEnded)
    assert.equal(await reply.text(), '')
  })

  test('long numbers keep their digits', async () => {
    const hungUp = new AbortController()
    const reply = await eventStream(async (send) => {
      send({ id: 12345678901234567890n })
      return () => {}
    }, hungUp.signal)
    hungUp.abort()
    assert.match(await reply.text(), /^data: \{"id":12345678901234567890\}$/m)
  })
})
