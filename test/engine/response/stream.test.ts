/** A body as it arrives: handed over piece by piece, held to the limits, and never ended quietly. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import type { HttpRequest } from '../../../src/engine/request/http-request.ts'
import type { BodyStream, HttpResponse } from '../../../src/engine/response/http-response.ts'
import { withRetry } from '../../../src/engine/response/retry.ts'
import type { Handler } from '../../helpers/serve-api.ts'
import { against, get, hasCode, never } from './asking.ts'

const streamed = (url: string): HttpRequest => ({ ...get(url), streams: true })

function streamOf({ stream }: HttpResponse): BodyStream {
  assert.ok(stream !== undefined, 'the body came whole')
  return stream
}

async function textOf(response: HttpResponse): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const chunk of streamOf(response).chunks) parts.push(chunk)
  return Buffer.concat(parts).toString()
}

const raw =
  (write: (response: ServerResponse) => void): Handler =>
  () => ({ raw: write })

test('stream: pieces are there before the body is over', { timeout: 20_000 }, async () => {
  let finish = () => {}
  await against(
    raw((response) => {
      response.write('first ')
      finish = () => response.end('last')
    }),
    async (api, network) => {
      const { chunks } = streamOf(await network.send(streamed(api.url), never))
      const seen: string[] = []
      for await (const chunk of chunks) {
        seen.push(Buffer.from(chunk).toString())
        if (seen.length === 1) finish()
      }
      assert.deepEqual(seen, ['first ', 'last'])
    },
  )
})

test('stream: the content encoding is undone; a body without the encoding its headers name is taken as it is', async () => {
  const text = 'many words '.repeat(10_000)
  const packed: [string, Uint8Array][] = [
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip', Buffer.from(text)],
    ['identity', Buffer.from(text)],
  ]
  for (const [encoding, bytes] of packed) {
    await against(
      raw((response) => response.writeHead(200, { 'content-encoding': encoding }).end(bytes)),
      async (api, network) => assert.equal(await textOf(await network.send(streamed(api.url), never)), text),
    )
  }
})

test('stream: an empty body is an empty stream, whatever encoding it names', async () => {
  for (const encoding of ['gzip', 'deflate', 'br', 'identity']) {
    await against(
      () => ({ headers: { 'content-encoding': encoding }, text: '' }),
      async (api, network) => assert.equal(await textOf(await network.send(streamed(api.url), never)), ''),
    )
  }
})

test('stream: a refusal or a redirect has its body whole: rules look into it', async () => {
  for (const status of [400, 404, 500, 302]) {
    await against(
      () => ({ status, json: { message: 'no' } }),
      async (api, network) => {
        const { stream, body } = await network.send(streamed(api.url), never)
        assert.equal(stream, undefined)
        assert.equal(Buffer.from(body).toString(), '{"message":"no"}')
      },
    )
  }
})

test('stream: a connection that breaks in the middle is an error, after what had come', async () => {
  const cuts: ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(200, { 'content-length': '100' }).write('some', () => response.destroy()),
    (response) => response.write('some', () => response.destroy()),
    (response) => {
      const packed = gzipSync('some', { finishFlush: constants.Z_SYNC_FLUSH })
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(packed)
      setTimeout(() => response.destroy(), 50)
    },
  ]
  for (const cut of cuts) {
    await against(raw(cut), async (api, network) => {
      const { chunks } = streamOf(await network.send(streamed(api.url), never))
      const seen: string[] = []
      await assert.rejects(async () => {
        for await (const chunk of chunks) seen.push(Buffer.from(chunk).toString())
      }, hasCode('response/cut-short'))
      assert.deepEqual(seen, ['some'])
    })
  }
})

test('stream: compressed text that stops in the middle is an error', async () => {
  const packed = gzipSync('many words '.repeat(1_000))
  await against(
    raw((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed.subarray(0, 40))),
    async (api, network) =>
      assert.rejects(textOf(await network.send(streamed(api.url), never)), hasCode('response/cut-short')),
  )
})

test('stream: what breaks before the first byte is requested again', async () => {
  let asked = 0
  await against(
    raw((response) => {
      if (asked++ > 0) return response.end('whole')
      response.writeHead(200, { 'content-length': '5' }).flushHeaders()
      setImmediate(() => response.destroy())
    }),
    async (api, network) => {
      const tools = { sleep: async () => {}, random: () => 0, now: () => 0, report() {} }
      const send = withRetry(network.send, tools)
      assert.equal(await textOf(await send(streamed(api.url), never)), 'whole')
      assert.equal(asked, 2)
    },
  )
})

test('stream: a response that a rule wants again is not read to its end', async () => {
  const closed: Promise<unknown>[] = []
  let asked = 0
  await against(
    raw((response) => {
      if (asked++ > 0) return response.end('whole')
      closed.push(once(response, 'close'))
      response.write('part')
    }),
    async (api, network) => {
      const tools = { sleep: async () => {}, random: () => 0, now: () => 0, report() {} }
      const outcomeOf = () =>
        asked === 1 ? ({ kind: 'retry', reason: 'not yet' } as const) : ({ kind: 'accept' } as const)
      const send = withRetry(network.send, { ...tools, outcomeOf })
      assert.equal(await textOf(await send(streamed(api.url), never)), 'whole')
      await closed[0]
    },
  )
})

test('stream: a download may take longer than the limit for a whole response, and be larger than a page', async () => {
  await against(
    raw((response) => {
      let left = 20
      const timer = setInterval(() => {
        response.write('x'.repeat(100))
        if (--left > 0) return
        clearInterval(timer)
        response.end()
      }, 10)
    }),
    async (api, network) => assert.equal((await textOf(await network.send(streamed(api.url), never))).length, 2_000),
    { totalMs: 100, maxBodyBytes: 500 },
  )
})

test('stream: silence in the middle is too slow', async () => {
  await against(
    raw((response) => void response.write('some')),
    async (api, network) =>
      assert.rejects(textOf(await network.send(streamed(api.url), never)), hasCode('response/timeout', /silence/)),
    { bodyMs: 100 },
  )
})

test('stream: a reader that takes its time holds back the sender, and is not taken for silence', async () => {
  const chunk = Buffer.alloc(64 * 1024)
  let written = 0
  let stalled = () => {}
  const hasStalled = new Promise<void>((resolve) => {
    stalled = resolve
  })
  await against(
    raw((response) => {
      const write = () => {
        while (written < 1_000 * chunk.length) {
          written += chunk.length
          if (!response.write(chunk)) {
            setTimeout(stalled, 200)
            return response.once('drain', write)
          }
        }
        response.end()
      }
      write()
    }),
    async (api, network) => {
      const { chunks } = streamOf(await network.send(streamed(api.url), never))
      await hasStalled
      assert.ok(written < 500 * chunk.length, `${written} bytes were sent to nobody`)
      let received = 0
      for await (const piece of chunks) received += piece.length
      assert.equal(received, 1_000 * chunk.length)
    },
    { bodyMs: 100 },
  )
})

test('stream: cancelling ends it at once, and the connection with it', async () => {
  const cancel = new AbortController()
  const closed: Promise<unknown>[] = []
  await against(
    raw((response) => {
      closed.push(once(response, 'close'))
      response.write('some')
    }),
    async (api, network) => {
      const { chunks } = streamOf(await network.send(streamed(api.url), cancel.signal))
      await assert.rejects(async () => {
        for await (const _ of chunks) cancel.abort()
      }, hasCode('response/aborted'))
      await closed[0]
    },
  )
})

test('stream: a reader that stops early ends the exchange, packed or not', async () => {
  for (const encoding of ['identity', 'gzip']) {
    const closed: Promise<unknown>[] = []
    await against(
      raw((response) => {
        closed.push(once(response, 'close'))
        const text = 'many words '.repeat(100_000)
        response.writeHead(200, { 'content-encoding': encoding })
        response.write(encoding === 'gzip' ? gzipSync(text).subarray(0, -4) : text)
      }),
      async (api, network) => {
        for await (const _ of streamOf(await network.send(streamed(api.url), never)).chunks) break
        await closed[0]
      },
    )
  }
})
