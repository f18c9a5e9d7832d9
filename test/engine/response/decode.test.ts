import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ConnectorError } from '../../../src/std/errors.ts'
import { Float } from '../../../src/std/json.ts'
import {
  decodeJson,
  decodeText,
  isJsonLines,
  looksLikeHtml,
  otherFormat,
  peekJson,
  peekOrNothing,
} from '../../../src/engine/response/decode.ts'
import { answered, hasCode } from './asking.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const typed = (contentType: string) => ({ 'content-type': contentType })

const readable: [name: string, body: Uint8Array, headers: Record<string, string>, expected: unknown][] = [
  ['JSON', utf8('{"a":[1,"é"]}'), typed('application/json'), { a: [1, 'é'] }],
  ['JSON that calls itself text', utf8('[]'), typed('text/html'), []],
  ['no content type', utf8('{"a":1}'), {}, { a: 1 }],
  ['a bare value', utf8('"x"'), {}, 'x'],
  ['null', utf8('null'), {}, null],
  ['an empty body', utf8(''), typed('application/json'), {}],
  ['a byte order mark', utf8('\ufeff{"a":1}'), typed('application/json; charset=utf-8'), { a: 1 }],
  ['UTF-16 by its mark', utf16('{"a":"é"}'), {}, { a: 'é' }],
  ['UTF-16, big end first', utf16('{"a":"é"}').swap16(), typed('application/json; charset=utf-16'), { a: 'é' }],
  ['UTF-16 by its name', utf16('{"a":"é"}').subarray(2), typed('application/json; charset=utf-16le'), { a: 'é' }],
  ['Latin-1 by its name', latin1('{"a":"é"}'), typed('application/json; charset="ISO-8859-1"'), { a: 'é' }],
  ['Latin-1 without a name', latin1('{"a":"é"}'), typed('application/json'), { a: 'é' }],
  ['an unknown charset', utf8('{"a":"é"}'), typed('application/json; charset=klingon'), { a: 'é' }],
  ['white space around', utf8('\r\n {"a":1} \n'), {}, { a: 1 }],
]
for (const [name, body, headers, expected] of readable) {
  test(`decode: ${name}`, () => assert.deepEqual(decodeJson(answered(200, body, headers)).value, expected))
}

test('decode: long integers keep every digit, whole floats stay floats, and the value says so', () => {
  assert.deepEqual(decodeJson(answered(200, '{"id":12345678901234567890,"price":2.0}')), {
    value: { id: 12345678901234567890n, price: new Float(2) },
    hasFloats: true,
  })
})

const unreadable: [name: string, body: string | Uint8Array, words: RegExp][] = [
  ['an HTML page', '<!DOCTYPE html><html><title>Login</title>', /looks like an HTML page.*<!DOCTYPE html>/],
  ['an XML answer', '<?xml version="1.0"?><a/>', /looks like XML/],
  ['several lines of JSON', '{"a":1}\n{"a":2}\n', /looks like JSON Lines/],
  ['an object cut off', '{"a":[1,2', /ends in the middle/],
  ['a string cut off', '{"a":"some te', /ends in the middle/],
  ['a list cut off after a comma', '[{"a":"}"},', /ends in the middle/],
  ['cut off inside an escape', '["a\\', /ends in the middle/],
  ['cut off with long numbers in it', '[12345678901234567890, 2', /ends in the middle/],
  ['plain text', 'Service is down', /is not JSON.*Service is down/],
  ['a comma too many', '{"a":1,}', /is not JSON/],
  ['two values', '{"a":1}{"a":2}', /is not JSON/],
  ['white space only', ' \n', /is not JSON/],
  ['control characters, which are shown', '\u001b[31mred\u0000', /\\u001b\[31mred\\u0000/],
]
for (const [name, body, words] of unreadable) {
  test(`decode: ${name} is an error`, () => {
    assert.throws(() => decodeJson(answered(200, body)), hasCode('response/not-decodable', words))
  })
}

test('decode: half a response is not blamed on the address', () => {
  assert.throws(() => decodeJson(answered(200, '{"a":[1,2')), { hint: /^Run again; .* smaller pages/ })
  assert.throws(() => decodeJson(answered(200, '<html>')), { hint: /^Check the address/ })
})

test('decode: CSV, XML, gzip and ZIP are not blamed on the address: the decoder is missing', () => {
  const csv = answered(200, 'id,name\n1,Ada\n', typed('text/csv; charset=utf-8'))
  const csvHint = 'Name the format in the manifest: add `decoder: { type: CsvDecoder }` to the retriever of the stream.'
  assert.throws(() => decodeJson(csv), { message: /looks like CSV, not JSON/, hint: csvHint })
  for (const headers of [{}, typed('application/xml')]) {
    assert.throws(() => decodeJson(answered(200, '<items><item/></items>', headers)), {
      hint: csvHint.replace('Csv', 'Xml'),
    })
  }
  const gzip = { message: /looks like gzip, not JSON\.$/, hint: /add `decoder: \{ type: GzipDecoder, / }
  assert.throws(() => decodeJson(answered(200, gzipSync('id,name\n1,Ada\n'))), gzip)
  assert.throws(() => decodeJson(answered(200, 'PK\u0003\u0004file')), {
    hint: /add `decoder: \{ type: ZipfileDecoder, /,
  })
  for (const text of ['<!DOCTYPE html><p>', '<p>Sign in']) {
    assert.throws(() => decodeJson(answered(200, text, typed('text/html'))), { hint: /^Check the address/ })
  }
})

test('decode: the error names status, type and place, quotes the start, and leaves out the query', () => {
  const response = answered(200, `{"a":${'x'.repeat(5000)}`, typed('application/json'))
  assert.throws(
    () => decodeJson(response),
    (error) => {
      assert.ok(String(error).length < 400)
      assert.doesNotMatch(String(error), /key=k/)
      return hasCode(
        'response/not-decodable',
        /https:\/\/api\.shop\/v1\/orders \(status 200, application\/json\)/,
      )(error)
    },
  )
})

test('decode: bytes that are not what the charset says are an error', () => {
  const response = answered(200, latin1('{"a":"é"}'), typed('application/json; charset=utf-8'))
  assert.throws(() => decodeJson(response), hasCode('response/not-decodable', /not valid utf-8/))
})

test('decode: an empty body is an empty object, without a fraction', () => {
  assert.deepEqual(decodeJson(answered(200, '')), { value: {}, hasFloats: false })
})

test('decode: a body that was looked at is not parsed again; another body is', () => {
  const response = answered(200, '{"a":1}')
  const peeked = peekJson(response)
  assert.equal(decodeJson(response), peeked)
  assert.equal(peekJson(response), peeked)
  assert.deepEqual(decodeJson({ ...response, body: utf8('[2]') }).value, [2])
})

test('decode: what is not JSON is nothing to those who only look', () => {
  assert.equal(peekJson(answered(200, 'words')), null)
  assert.deepEqual(peekOrNothing(answered(200, 'words')), { value: {}, hasFloats: false })
  assert.deepEqual(peekOrNothing(answered(200, '[1.0]')), { value: [new Float(1)], hasFloats: true })
})

test('decode: the encoding is that of a mark, then of the headers, then of the text itself, then UTF-8', () => {
  const text = (body: Uint8Array, charset?: string, inside?: string) =>
    decodeText(answered(200, body, charset === undefined ? {} : typed(`text/xml; charset=${charset}`)), inside)
  const wide = Buffer.from('é', 'utf16le')
  assert.equal(text(wide, 'utf-16le', 'latin1'), 'é')
  assert.equal(text(wide, undefined, 'utf-16le'), 'é')
  assert.equal(text(utf16('é'), 'latin1'), 'é')
  assert.equal(text(utf8('é')), 'é')
  assert.equal(text(latin1('é')), 'é')
  assert.throws(() => text(latin1('é'), undefined, 'utf-8'), hasCode('response/not-decodable', /not valid utf-8/))
})

test('decode: a start of 120 characters is quoted, of a longer body with a mark', () => {
  const quoted = (length: number) => {
    try {
      return assert.fail(JSON.stringify(decodeJson(answered(200, 'x'.repeat(length)))))
    } catch (error) {
      return String(error)
    }
  }
  assert.match(quoted(120), /It starts: x{120}$/)
  assert.match(quoted(121), /It starts: x{120}…$/)
})

test('decode: a ZIP archive is known by all four of its first bytes', () => {
  const packed = (...bytes: number[]) => otherFormat(answered(200, Uint8Array.from(bytes)), 'x')?.name
  assert.equal(packed(0x50, 0x4b, 3, 4), 'ZIP')
  for (const bytes of [
    [0x50, 0x4b, 3, 5],
    [0x50, 0x4b, 4, 4],
    [0x50, 0x4a, 3, 4],
    [0x51, 0x4b, 3, 4],
  ])
    assert.equal(packed(...bytes), undefined)
  assert.equal(packed(0x1f, 0x8b), 'gzip')
  assert.equal(packed(0x1f, 0x8a), undefined)
  assert.equal(packed(0x1e, 0x8b), undefined)
})

test('decode: another format is known by its type or by its text, a page for people is none', () => {
  const format = (text: string, contentType = '') => otherFormat(answered(200, text, typed(contentType)), text)?.name
  assert.equal(format('a,b', 'text/csv; charset=utf-8'), 'CSV')
  assert.equal(format('a,b', 'application/csv'), 'CSV')
  assert.equal(format('a,b', 'text/plain'), undefined)
  for (const kind of ['application/x-ndjson', 'application/jsonl', 'text/json-lines', 'application/jsonlines'])
    assert.equal(format('{}', kind), 'JSON Lines', kind)
  assert.equal(format('{"a":1}\r\n{"a":2}'), 'JSON Lines')
  assert.equal(format('{"a":1}\n[]'), undefined)
  assert.equal(format(' <?xml version="1.0"?>'), 'XML')
  assert.equal(format('<items/>'), 'XML')
  assert.equal(format('<items/>', 'text/html'), undefined)
  assert.equal(format('<html/>', 'application/xml'), undefined)
  assert.equal(isJsonLines(answered(200, '{}', typed('application/json'))), false)
  for (const page of [' <!DOCTYPE html>', '<html lang="de">', '<head>', '<body>', '<!-- x -->'])
    assert.equal(looksLikeHtml(page), true, page)
  assert.equal(looksLikeHtml('<p>'), false)
})

test('decode: what is wrong with a body has the hint that fits it', () => {
  const wrong = (text: string, contentType = '') => {
    try {
      return assert.fail(JSON.stringify(decodeJson(answered(200, text, typed(contentType)))))
    } catch (error) {
      return error instanceof ConnectorError ? `${error.message} ${error.hint}` : String(error)
    }
  }
  assert.match(wrong('{"a":"x'), /ends in the middle of its JSON.*Run again/)
  assert.match(wrong('[{}'), /ends in the middle of its JSON/)
  assert.match(wrong('[{}]]'), /is not JSON\./)
  assert.match(wrong('{"a":"\\""}}'), /is not JSON\./)
  assert.match(wrong('x {'), /is not JSON\./)
  assert.match(wrong('<p>Sign in', 'text/html'), /looks like an HTML page.*Check the address/)
  assert.match(wrong('<items/>'), /looks like XML.*XmlDecoder/)
})
