/** A body read in parts has the value that reading it as a whole gives, or none: never another. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLongJson, longJson } from '../../../../src/engine/response/formats/long-json.ts'
import { decodeJson } from '../../../../src/engine/response/decode.ts'
import { type ParsedJson, parseJson } from '../../../../src/std/json.ts'
import { isWhole } from '../../../helpers/proof.ts'
import { answered, hasCode } from '../asking.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

function whole(body: Uint8Array): ParsedJson | null {
  try {
    return parseJson(utf8.decode(body))
  } catch {
    return null
  }
}

const texts = [
  '{"data": [{"id": 1, "name": "a, \\"b\\" [c] \\\\"}, [], {}, null, "✓{", [[1.0, 2]], 12345678901234567890],\n "meta": {"total": 7}, "a": [], "data2": {}}\n',
  ' [ {"a":{"b":[1,[2,{"c":"d"}]]}} ,"é","\\u00e9",-1.5e3,true , false ]',
  '{"__proto__":{"a":1},"b":1,"b":[2,3],"constructor":null,"1":"x","0":"y"}',
  '"a text, and nothing else: [1, 2]"',
]

test('every text, in parts of any length', () => {
  for (const text of texts) {
    const body = Buffer.from(text)
    for (let longest = 2; longest <= body.length; longest++)
      assert.deepEqual(parseLongJson(body, longest), whole(body), `${longest} of ${text}`)
    const marked = Buffer.from(`\ufeff${text}`)
    assert.deepEqual(parseLongJson(marked, 20), whole(body), `marked ${text}`)
  }
})

test('whatever a text is changed to', () => {
  const strokes = [
    '',
    ',',
    ':',
    '[',
    ']',
    '{',
    '}',
    '"',
    '\\',
    ' ',
    '0',
    '.0',
    'x',
    '\u00a0',
    '\ufeff',
    '✓',
    '\t\r\n',
    '\0',
  ]
  let read = 0
  for (const text of texts) {
    for (let at = 0; at <= text.length; at++) {
      for (const [turn, stroke] of strokes.entries()) {
        if (!isWhole && (at + turn) % 4 !== 0) continue
        for (const over of [0, 1, 3]) {
          const body = Buffer.from(text.slice(0, at) + stroke + text.slice(at + over))
          const expected = whole(body)
          for (const longest of [0, 6, 30]) {
            const parts = parseLongJson(body, longest)
            if (parts === null) continue
            assert.deepEqual(parts, expected, `${longest} of ${body.toString()}`)
            read++
          }
        }
      }
    }
  }
  assert.ok(read > 2000, `${read} were read in parts`)
})

test('bytes that are no letters', () => {
  const body = Buffer.from(texts[0] ?? '')
  for (let at = 0; at < body.length; at++) {
    const broken = Buffer.from(body)
    broken[at] = 0xff
    assert.equal(parseLongJson(broken, 5), null)
  }
})

test('a list in more levels than anybody would look for parts in', () => {
  const body = Buffer.from(`${'['.repeat(300)}1, 2${']'.repeat(300)}`)
  assert.deepEqual(parseLongJson(body, 0), whole(body))
})

/** Records of which the last one has a letter of its own. */
function longBody(last: string): Buffer {
  const record = JSON.stringify({ id: 1, note: '✓'.padEnd(1000, 'x') })
  const records = Array.from({ length: Math.ceil(longJson / record.length) }, () => record)
  return Buffer.from(`{"data":[${records.join(',')},${last}]}`)
}

test('a long page is read in parts, and what is wrong with it is said of the whole', () => {
  const { value, hasFloats } = decodeJson(answered(200, longBody('{"id":2.0,"note":"é✓"}')))
  const { data } = value as { data: { id: unknown; note: string }[] }
  assert.equal(data.length > 30_000, true)
  assert.equal(data[0]?.note.length, 1000)
  assert.equal(data.at(-1)?.note, 'é✓')
  assert.equal(hasFloats, true)
  assert.throws(() => decodeJson(answered(200, longBody('{"id":'))), hasCode('response/not-decodable'))
})

test('parts that are not JSON by themselves are not read', () => {
  for (const text of [
    '[1,]',
    '[,1]',
    '[1,,2]',
    '{"a":1,}',
    '{,}',
    '{"a" 1}',
    '{a:1}',
    '{"a":1 "b":2}',
    '["a',
    '{"a":"b',
    '[1',
    '1]',
    '[1}',
  ])
    for (const longest of [0, 1, 3])
      assert.equal(parseLongJson(Buffer.from(text), longest), null, `${longest} of ${text}`)
})

test('what is read in parts is as it would be as a whole', () => {
  for (const text of [
    '[]',
    '[ ]',
    '{}',
    '{ }',
    '[[],{}]',
    '{"a":[],"b":{}}',
    '\t[1]\r\n',
    '["\\\\",1]',
    '["\\"",1]',
    '{"a\\"b":1}',
  ]) {
    const body = Buffer.from(text)
    const parts = parseLongJson(body, 1)
    if (parts !== null) assert.deepEqual(parts, whole(body), text)
  }
  const body = Buffer.from('{"a":[1,{"b":2.0}],"c":"d"}')
  assert.deepEqual(parseLongJson(body, 5), whole(body))
  assert.equal(parseLongJson(Buffer.from('{"a":[1,{"b":2}],"c":"d"}'), 5)?.hasFloats, false)
})
