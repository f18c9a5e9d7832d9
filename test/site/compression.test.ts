/** Bodies in the coding a client takes, each with a tag of its own. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { chooseCoding } from '../../src/site/codings.ts'
import { type Running, ask, startBoth } from './running.ts'

const choices: [header: string | undefined, coding: 'br' | 'gzip' | null][] = [
  [undefined, null],
  ['', null],
  ['identity', null],
  ['gzip', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br', 'br'],
  ['BR', 'br'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0', null],
  ['br;q=0, gzip;q=0, *', null],
  ['br;q=0.2, gzip;q=0.8', 'gzip'],
  ['gzip;q=0.5, identity', 'gzip'],
  ['deflate', null],
  ['gzip;q=high', null],
]

describe('the coding', () => {
  for (const [header, coding] of choices) {
    test(`${JSON.stringify(header) ?? 'absent'} → ${coding ?? 'none'}`, () =>
      assert.equal(chooseCoding(header), coding))
  }
})

describe('compressed bodies', () => {
  let running: Running
  before(async () => {
    running = await startBoth()
  })
  after(() => running[Symbol.asyncDispose]())

  const decoders = { br: brotliDecompressSync, gzip: gunzipSync } as const
  const large = ['/', '/index.md', '/openapi.json', '/speed-read-light.svg', '/llms.txt']

  for (const path of large) {
    test(`${path}: the same text in every coding, smaller, with its own tag`, async () => {
      const plain = await ask(running.baseUrl + path)
      assert.equal(plain.headers['content-encoding'], undefined)
      assert.match(String(plain.headers.vary), /Accept-Encoding$/)
      const tags = new Set([plain.headers.etag])
      for (const coding of ['br', 'gzip'] as const) {
        const headers = { 'Accept-Encoding': coding }
        const packed = await ask(running.baseUrl + path, { headers })
        assert.equal(packed.status, 200)
        assert.equal(packed.headers['content-encoding'], coding)
        assert.equal(packed.headers.vary, plain.headers.vary)
        assert.equal(packed.headers['content-type'], plain.headers['content-type'])
        assert.equal(packed.headers['content-length'], String(packed.bytes.length))
        assert.ok(packed.bytes.length < plain.bytes.length * 0.6, `${packed.bytes.length} of ${plain.bytes.length}`)
        assert.equal(decoders[coding](packed.bytes).toString(), plain.body)
        tags.add(packed.headers.etag)
        const etag = String(packed.headers.etag)
        const kept = await ask(running.baseUrl + path, { headers: { ...headers, 'If-None-Match': etag } })
        assert.equal(kept.status, 304)
        assert.equal(kept.headers.etag, etag)
        assert.equal(kept.headers.vary, plain.headers.vary)
        // A copy in one coding says nothing about another.
        const other = await ask(running.baseUrl + path, { headers: { 'If-None-Match': etag } })
        assert.equal(other.status, 200)
        const head = await ask(running.baseUrl + path, { method: 'HEAD', headers })
        assert.equal(head.headers['content-length'], packed.headers['content-length'])
      }
      assert.equal(tags.size, 3)
    })
  }

  test('small bodies, pictures and refusals are sent as they are', async () => {
    for (const path of ['/favicon.svg', '/favicon.ico', '/robots.txt', '/api/x402', '/nope']) {
      const { headers } = await ask(running.baseUrl + path, { headers: { 'Accept-Encoding': 'br, gzip' } })
      assert.equal(headers['content-encoding'], undefined, path)
    }
  })

  test('markdown says how many tokens it has, and what it may be used for', async () => {
    for (const [path, Accept] of [
      ['/', 'text/markdown'],
      ['/', 'text/plain'],
      ['/index.md', '*/*'],
    ] as const) {
      const { headers, body } = await ask(running.baseUrl + path, { headers: { Accept } })
      const tokens = Number(headers['x-markdown-tokens'])
      assert.ok(tokens > body.length / 6 && tokens < body.length / 2, `${tokens}`)
      assert.equal(headers['content-signal'], 'search=yes, ai-input=yes, ai-train=no')
    }
    const html = await ask(`${running.baseUrl}/`)
    assert.equal(html.headers['x-markdown-tokens'], undefined)
    assert.match(String(html.headers['content-security-policy']), /; connect-src 'self';/)
  })
})
