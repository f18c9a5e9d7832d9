import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { decodeParts, decodeWhole, readsStreams } from '../../../src/engine/response/decode-response.ts'
import { Decoder } from '../../../src/engine/response/decoder.ts'
import { Float } from '../../../src/std/json.ts'
import { answered, hasCode } from './asking.ts'
import { planOf } from './formats/decoding.ts'

test('formats of many items, and all in gzip, are read as they arrive; an archive and one value are not', () => {
  const inner = { type: 'JsonlDecoder' }
  const reads = (decoder: Record<string, unknown>) => readsStreams({ plan: planOf(decoder), custom: null })
  assert.equal(reads({ type: 'JsonDecoder' }), false)
  assert.equal(reads({ type: 'XmlDecoder' }), false)
  assert.equal(reads({ type: 'JsonlDecoder' }), true)
  assert.equal(reads({ type: 'CsvDecoder' }), true)
  assert.equal(reads({ type: 'GzipDecoder', decoder: inner }), true)
  assert.equal(reads({ type: 'GzipDecoder', decoder: { type: 'JsonDecoder' } }), true)
  assert.equal(reads({ type: 'ZipfileDecoder', decoder: inner }), false)
})

test('a list that is held whole may have as many bytes as the limit, and not one more', async () => {
  const plan = planOf({ type: 'JsonlDecoder' })
  const body = '{"a":1}\n'
  const whole = await decodeWhole({ plan, custom: null, maxBytes: body.length }, answered(200, body))
  assert.deepEqual(whole, { value: [{ a: 1 }], hasFloats: false, bytes: body.length })
  await assert.rejects(
    decodeWhole({ plan, custom: null, maxBytes: body.length - 1 }, answered(200, body)),
    hasCode('response/too-large', /is larger than the limit of 7 bytes/),
  )
})

class Whole extends Decoder {
  decode() {
    return []
  }
}

class Streamed extends Whole {
  override get isStreamed() {
    return true
  }
}

test('a class says whether its bodies are read as they arrive', () => {
  const plan = { kind: 'custom', role: 'decoder', className: 'C', fields: {}, at: { pointer: '' } } as const
  const given = { config: {}, parameters: {} }
  assert.equal(readsStreams({ plan, custom: new Streamed(given) }), true)
  assert.equal(readsStreams({ plan, custom: new Whole(given) }), false)
  assert.equal(readsStreams({ plan, custom: null }), false)
})

test('a list remembers a number with a fraction, whichever of its parts has it', async () => {
  const plan = planOf({ type: 'JsonlDecoder' })
  const rest = '{"a":1}\n'.repeat(2000)
  for (const body of [`{"a":1.0}\n${rest}`, `${rest}{"a":1.0}\n`]) {
    const { value, hasFloats, bytes } = await decodeWhole({ plan, custom: null, maxBytes: 1e6 }, answered(200, body))
    assert.equal(hasFloats, true)
    assert.equal((value as unknown[]).length, 2001)
    assert.equal(bytes, body.length)
  }
})

test('one value knows its bytes: of XML those that came, of gzip those that were in it', async () => {
  const whole = (type: Record<string, unknown>, body: string | Uint8Array) =>
    decodeWhole({ plan: planOf(type), custom: null, maxBytes: 1e6 }, answered(200, body))
  assert.deepEqual(await whole({ type: 'XmlDecoder' }, '<a>1</a>'), { value: { a: '1' }, hasFloats: false, bytes: 8 })
  assert.deepEqual(await whole({ type: 'XmlDecoder' }, ''), { value: {}, hasFloats: false, bytes: 0 })
  assert.deepEqual(await whole({ type: 'GzipDecoder', decoder: { type: 'JsonDecoder' } }, gzipSync('{"a":1.0}')), {
    value: { a: new Float(1) },
    hasFloats: true,
    bytes: 9,
  })
})

test('a list that is wanted at once is one part, also where it would be several', async () => {
  const decoding = { plan: planOf({ type: 'JsonlDecoder' }), custom: null, maxBytes: 1e6 }
  const lengths = async (atOnce: boolean) => {
    const found: unknown[] = []
    for await (const { value, isLast } of decodeParts(decoding, answered(200, '1\n'.repeat(1001)), atOnce))
      found.push([(value as unknown[]).length, isLast])
    return found
  }
  assert.deepEqual(await lengths(true), [[1001, true]])
  assert.deepEqual(await lengths(false), [
    [1000, false],
    [1, true],
  ])
})
