import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeWhole, readsStreams } from '../../../src/engine/response/decode-response.ts'
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
