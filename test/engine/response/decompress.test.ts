import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { openNetwork } from '../../../src/engine/response/send.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { get, hasCode, never } from './asking.ts'

/** What comes of a body with this content encoding, sent in pieces. */
async function received(packed: Uint8Array, encoding: string, maxBodyBytes = 50_000_000): Promise<Uint8Array> {
  await using api = await serveApi({
    '*': () => ({
      raw: (response) => {
        response.writeHead(200, { 'content-encoding': encoding })
        for (let at = 0; at < packed.length; at += 10_000) response.write(packed.subarray(at, at + 10_000))
        response.end()
      },
    }),
  })
  const network = openNetwork({ limits: { maxBodyBytes } })
  try {
    return (await network.send(get(api.url), never)).body
  } finally {
    await network.close()
  }
}

const page = Buffer.from(JSON.stringify({ data: Array.from({ length: 2000 }, (_, id) => ({ id, name: `n${id}` })) }))
// Random bytes do not shrink, so this one is past the size that is unpacked in one go.
const large = randomBytes(1_000_000)

// Brotli at its usual quality takes seconds.
const brotli = (bytes: Uint8Array) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })

const encodings: [name: string, encoding: string, pack: (bytes: Uint8Array) => Uint8Array][] = [
  ['gzip', 'gzip', gzipSync],
  ['gzip by its old name', 'x-gzip', gzipSync],
  ['deflate', 'deflate', deflateSync],
  ['deflate without its zlib wrapping', 'deflate', deflateRawSync],
  ['brotli', 'br', brotli],
  ['none, by name', 'identity', (bytes) => bytes],
  ['an upper-case name', 'GZIP', gzipSync],
]

for (const [name, encoding, pack] of encodings) {
  test(`body: ${name}, small and large`, async () => {
    assert.ok(page.equals(await received(pack(page), encoding)))
    assert.ok(large.equals(await received(pack(large), encoding)))
  })
}

for (const [name, encoding, pack] of encodings.filter(([, named]) => named !== 'identity')) {
  test(`body: ${name}, cut off in the middle, is an error`, async () => {
    for (const whole of [pack(page), pack(large)]) {
      const half = whole.subarray(0, whole.length / 2)
      await assert.rejects(received(half, encoding), hasCode('response/cut-short', /ends in the middle/))
    }
  })
}

test('body: several members of gzip are one body', async () => {
  const twice = Buffer.concat([gzipSync(page), gzipSync(page)])
  assert.equal((await received(twice, 'gzip')).length, 2 * page.length)
})

test('body: an empty body may name an encoding', async () => {
  assert.equal((await received(new Uint8Array(), 'gzip')).length, 0)
})

test('body: what is not packed as announced is not decodable', async () => {
  for (const encoding of ['gzip', 'br', 'deflate']) {
    await assert.rejects(received(page, encoding), hasCode('response/not-decodable', /headers say/), encoding)
  }
})

test('body: an encoding that we did not ask for is named', async () => {
  await assert.rejects(received(page, 'zstd'), hasCode('response/not-decodable', /"zstd"/))
  await assert.rejects(received(gzipSync(page), 'gzip, br'), hasCode('response/not-decodable', /"gzip, br"/))
})

test('body: a bomb is stopped at the limit, in one go or streamed', async () => {
  const zeros = Buffer.alloc(16_000_000)
  for (const [encoding, pack] of [
    ['gzip', gzipSync],
    ['br', brotli],
    ['deflate', deflateSync],
  ] as const) {
    await assert.rejects(received(pack(zeros), encoding, 100_000), hasCode('response/too-large', /100000 bytes/))
  }
  const streamed = gzipSync(Buffer.concat([large, zeros]))
  const before = process.memoryUsage().arrayBuffers
  await assert.rejects(received(streamed, 'gzip', 2_000_000), hasCode('response/too-large'))
  assert.ok(process.memoryUsage().arrayBuffers - before < 10_000_000, 'unpacked far past the limit')
})
