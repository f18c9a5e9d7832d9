/** Bodies that are broken, lying or out to harm: each is an error that says what is wrong, and where. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { ConnectorError } from '../../../../src/std/errors.ts'
import { stringifyJson } from '../../../../src/std/json.ts'
import { hasCode } from '../asking.ts'
import { bytesOf, decoded, partsOf, piecesOf, planOf } from './decoding.ts'

const csv = planOf({ type: 'CsvDecoder' })
const jsonLines = planOf({ type: 'JsonlDecoder' })
const xml = planOf({ type: 'XmlDecoder' })
const items = planOf({ type: 'JsonItemsDecoder', items_path: 'data' })
const gzipCsv = planOf({ type: 'GzipDecoder', decoder: { type: 'CsvDecoder' } })
const gzipJson = planOf({ type: 'GzipDecoder', decoder: { type: 'JsonDecoder' } })
const zipCsv = planOf({ type: 'ZipfileDecoder', decoder: { type: 'CsvDecoder' } })

const rejects = (decoding: Promise<unknown>, code: Parameters<typeof hasCode>[0], words: RegExp) =>
  assert.rejects(decoding, hasCode(code, words))

test('JSON Lines: a line that is not JSON is an error with its number, never a record less', () =>
  rejects(decoded(jsonLines, '{"a":1}\n\n{"a":\n'), 'response/not-decodable', /as JSON Lines: line 3 is not JSON: "\{/))

test('long numbers are whole in every format of JSON, wherever a piece ends', async () => {
  const item = '{"id":12345678901234567890,"price":1234567890.123456789,"list":[0.12345678901234567891]}'
  for (const pieceLength of [1, 7, 1000]) {
    const lines = await decoded(jsonLines, `${item}\n${item}\n`, { pieceLength })
    const members = await decoded(items, `{"data":[${item}, ${item}]}`, { pieceLength })
    assert.equal(stringifyJson(lines), `[${item},${item}]`)
    assert.equal(stringifyJson(members), `[${item},${item}]`)
  }
})

test('JSON Lines: a byte order mark does not cost the first record', async () => {
  assert.deepEqual(await decoded(jsonLines, '\uFEFF{"a":1}\n'), [{ a: 1 }])
})

test('text that is not in the encoding named is an error that names it', () =>
  rejects(decoded(csv, Uint8Array.of(97, 10, 0xe9, 10)), 'response/not-decodable', /not valid utf-8/))

test('CSV: a text that ends within quotes was cut off', () =>
  rejects(decoded(csv, 'a,b\n1,2\n3,"x\ny'), 'response/not-decodable', /ends within the quotes of the row at line 3/))

test('CSV: empty lines before the names are no names', async () => {
  assert.deepEqual(await decoded(csv, '\n\r\na,b\n1,2\n'), [{ a: '1', b: '2' }])
})

test('CSV: a byte order mark is no part of the first name, and identifies UTF-16', async () => {
  assert.deepEqual(await decoded(csv, '\uFEFFa\n1\n'), [{ a: '1' }])
  const utf16 = Buffer.from('\uFEFFa\nä\n', 'utf16le')
  assert.deepEqual(await decoded(csv, utf16), [{ a: 'ä' }])
  assert.deepEqual(await decoded(csv, utf16.swap16(), { pieceLength: 1 }), [{ a: 'ä' }])
})

test('CSV: a page for people does not become records', () =>
  rejects(decoded(csv, '<!DOCTYPE html>\n<p>Sign in</p>\n'), 'response/not-decodable', /looks like an HTML page/))

test('CSV: a row of a million columns is refused', () =>
  rejects(decoded(csv, `a\n${','.repeat(1_000_000)}\n`), 'response/too-large', /line 2 has more than 50000 columns/))

test('CSV: a doubled quote is one quote, wherever the text is cut', async () => {
  for (const pieceLength of [1, 2, 3, 4, 5, 100]) {
    const rows = await decoded(csv, 'a,b\n"""x""y""","""\n"""""\n"""""",z\n', { pieceLength })
    assert.deepEqual(rows, [
      { a: '"x"y"', b: '"\n""' },
      { a: '""', b: 'z' },
    ])
  }
})

test('CSV: a column may have any name', async () => {
  const [row] = (await decoded(csv, '__proto__,constructor\n1,2\n')) as object[]
  assert.deepEqual(Object.entries(row as object), [
    ['__proto__', '1'],
    ['constructor', '2'],
  ])
})

test('one item of endless length is refused before it fills the memory', async () => {
  const endless = async function* (text: string, first: string) {
    yield bytesOf(first)
    const chunk = bytesOf(text.repeat(Math.ceil(1_000_000 / text.length)))
    for (;;) yield chunk
  }
  const drain = async (plan: typeof csv, text: string, first = text) => {
    for await (const part of partsOf(plan, endless(text, first))) assert.deepEqual(part.value, [])
  }
  await rejects(drain(jsonLines, 'x'), 'response/too-large', /line 1 is longer/)
  await rejects(drain(csv, 'x'), 'response/too-large', /the row at line 1 is longer/)
  // Within quotes, doubled quotes among the text, and nothing but quotes.
  const quoted = `""${'x'.repeat(998)}`
  await rejects(drain(csv, quoted, '"'), 'response/too-large', /the row at line 1 is longer/)
  await rejects(drain(csv, '"'), 'response/too-large', /the row at line 1 is longer/)
  await rejects(drain(items, '"'.padEnd(4, 'x')), 'response/not-decodable', /closes|belongs|not JSON/)
  await rejects(drain(items, '1'), 'response/not-decodable', /is not JSON/)
  await rejects(drain(items, '[['), 'response/not-decodable', /deeper than 1000/)
})

test('JSON items: what ends in the middle, or continues after the end, is an error', async () => {
  await rejects(decoded(items, '{"data":[{"a":1}'), 'response/not-decodable', /ends in the middle of its JSON/)
  await rejects(decoded(items, ''), 'response/not-decodable', /ends in the middle/)
  await rejects(decoded(items, '{"data":[]} []'), 'response/not-decodable', /"\[\]" is where .* at character 13/)
  await rejects(
    decoded(items, '{"data":[{"a":01}]}'),
    'response/not-decodable',
    /an item is not JSON: "\{\\"a\\":01\}"/,
  )
})

test('JSON items: long integers keep their digits', async () => {
  assert.deepEqual(await decoded(items, '{"data":[12345678901234567890]}', { pieceLength: 5 }), [12345678901234567890n])
})

test('XML: nothing the document declares is expanded or fetched', async () => {
  const bomb = '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>'
  const file = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
  await rejects(decoded(xml, bomb), 'response/not-decodable', /declares entities, which/)
  await rejects(decoded(xml, file), 'response/not-decodable', /declares entities, which/)
  await rejects(decoded(xml, '<a>&x;</a>'), 'response/not-decodable', /as XML: line 1 is not XML \(undefined entity/)
})

test('XML: what is not XML is an error, never an empty page', async () => {
  await rejects(decoded(xml, '<a>\n<b></a>'), 'response/not-decodable', /line 2 is not XML/)
  await rejects(decoded(xml, '{"a":1}'), 'response/not-decodable', /is not XML/)
  await rejects(decoded(xml, '<a>'.repeat(2_000)), 'response/not-decodable', /nests deeper than 1000/)
  assert.deepEqual(await decoded(xml, ''), {})
})

test('XML: the declaration names the encoding where nothing else does', async () => {
  const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', 'latin1')
  assert.deepEqual(await decoded(xml, latin), { a: 'é' })
})

test('XML: space and brackets in any amount cost no time', async () => {
  const padded = `<a>x${' '.repeat(500_000)}y</a>`
  const { a } = (await decoded(xml, padded)) as { a: string }
  assert.equal(a.length, 500_002)
})

test('gzip: what is not packed is taken as it is, what is packed twice is unpacked twice', async () => {
  const twice = planOf({ type: 'GzipDecoder', decoder: { type: 'GzipDecoder', decoder: { type: 'JsonDecoder' } } })
  assert.deepEqual(await decoded(gzipCsv, 'a\n1\n'), [{ a: '1' }])
  assert.deepEqual(await decoded(gzipCsv, gzipSync('a\n1\n'), { pieceLength: 1 }), [{ a: '1' }])
  assert.deepEqual(await decoded(twice, gzipSync(gzipSync('{"a":1}'))), { a: 1 })
  assert.deepEqual(await decoded(twice, gzipSync('{"a":1}')), { a: 1 })
})

test('gzip: several files in a row are one', async () => {
  const body = Buffer.concat([gzipSync('a\n1\n'), gzipSync('2\n')])
  assert.deepEqual(await decoded(gzipCsv, body, { pieceLength: 3 }), [{ a: '1' }, { a: '2' }])
})

test('gzip: one that ends in the middle, or is damaged, is an error', async () => {
  const packed = gzipSync('a,b\n1,2\n'.repeat(100))
  await rejects(
    decoded(gzipCsv, packed.subarray(0, 30)),
    'response/cut-short',
    /ends in the middle of a compressed file/,
  )
  await rejects(
    decoded(gzipJson, packed.subarray(0, 30)),
    'response/cut-short',
    /ends in the middle of a compressed file/,
  )
  const damaged = Buffer.from(packed).fill(0xff, 12, 20)
  await rejects(decoded(gzipCsv, damaged), 'response/not-decodable', /damaged/)
})

test('gzip: a few bytes that unpack to gigabytes are stopped at the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, 32))
  await rejects(decoded(gzipJson, bomb, { maxBytes: 1_000_000 }), 'response/too-large', /limit of 1000000 bytes/)
  const rows = gzipSync('a\n'.repeat(5_000_000))
  await rejects(decoded(gzipCsv, rows, { maxBytes: 1_000_000 }), 'response/too-large', /limit of 1000000 bytes/)
})

test('zip: every file, in order, each with a first row of its own; folders are none', async () => {
  const body = zipSync({
    'b/': new Uint8Array(),
    'b/1.csv': bytesOf('a\n1\n'),
    '2.csv': [bytesOf('z\n2\n'), { level: 0 }],
  })
  assert.deepEqual(await decoded(zipCsv, body), [{ a: '1' }, { z: '2' }])
})

test('zip: gzip of JSON Lines inside, as Amplitude exports', async () => {
  const inner = { type: 'GzipDecoder', decoder: { type: 'JsonlDecoder' } }
  const body = zipSync({ '1.json.gz': gzipSync('{"a":1}\n{"a":2}\n'), '2.json.gz': gzipSync('{"a":3}\n') })
  assert.deepEqual(await decoded(planOf({ type: 'ZipfileDecoder', decoder: inner }), body), [
    { a: 1 },
    { a: 2 },
    { a: 3 },
  ])
})

test('zip: JSON files give their items, or themselves', async () => {
  const plan = planOf({ type: 'ZipfileDecoder', decoder: { type: 'JsonDecoder' } })
  const body = zipSync({ '1': bytesOf('[{"a":1},{"a":2}]'), '2': bytesOf('{"a":3}') })
  assert.deepEqual(await decoded(plan, body), [{ a: 1 }, { a: 2 }, { a: 3 }])
  await rejects(
    decoded(plan, zipSync({ 'x.json': bytesOf('{') })),
    'response/not-decodable',
    /in the file "x.json": it is not JSON/,
  )
})

test('zip: an encrypted, damaged or unknown file is named', async () => {
  const body = Buffer.from(zipSync({ 'a.csv': bytesOf('a\n1\n') }))
  const directory = body.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  const changed = (at: number, value: number) => {
    const copy = Buffer.from(body)
    copy[directory + at] = value
    return copy
  }
  await rejects(decoded(zipCsv, changed(8, 1)), 'response/not-decodable', /the file "a.csv" in it is encrypted/)
  await rejects(decoded(zipCsv, changed(10, 9)), 'response/not-decodable', /compressed with method 9/)
  await rejects(decoded(zipCsv, changed(16, 1)), 'response/not-decodable', /"a.csv" in it is damaged/)
  await rejects(decoded(zipCsv, changed(42, 9)), 'response/not-decodable', /the zip archive is damaged/)
  await rejects(decoded(zipCsv, changed(0, 9)), 'response/not-decodable', /the zip archive is damaged/)
  await rejects(decoded(zipCsv, body.subarray(0, 40)), 'response/not-decodable', /it is not a zip archive/)
  await rejects(decoded(zipCsv, 'a,b\n'), 'response/not-decodable', /as zip of CSV: it is not a zip archive/)
})

test('zip: a file that unpacks to more than the archive says is stopped there', async () => {
  const body = Buffer.from(zipSync({ 'a.csv': deflatable }))
  body.writeUInt32LE(10, body.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24)
  await rejects(decoded(zipCsv, body), 'response/not-decodable', /"a.csv" in it is damaged/)
})
const deflatable = Buffer.alloc(1_000_000, 'a\n')

test('zip: random damage is always an error of ours, or none', async () => {
  const body = zipSync({ '1.csv': bytesOf('a,b\n1,2\n'.repeat(50)), '2.csv': deflateRawSync('x') })
  for (let at = 0; at < body.length; at++) {
    const damaged = Uint8Array.from(body)
    damaged[at] = (damaged[at] as number) ^ 0xff
    await decoded(zipCsv, damaged).catch((error: unknown) => assert.ok(error instanceof ConnectorError, String(error)))
  }
})

test('parts: a thousand items or four megabytes each; the last one knows that it is', async () => {
  const sizes: [number, boolean][] = []
  const body = bytesOf('x\n'.repeat(2_500))
  for await (const { value, isLast } of partsOf(planOf({ type: 'IterableDecoder' }), piecesOf(body, 64))) {
    sizes.push([(value as unknown[]).length, isLast])
  }
  assert.deepEqual(sizes, [
    [1000, false],
    [1000, false],
    [500, true],
  ])
})

test('parts: exactly one thousand items are one part, and nothing is one part too', async () => {
  for (const count of [1_000, 0]) {
    const parts: unknown[] = []
    for await (const { value, isLast } of partsOf(jsonLines, piecesOf(bytesOf('{}\n'.repeat(count)), 100))) {
      parts.push([(value as unknown[]).length, isLast])
    }
    assert.deepEqual(parts, [[count, true]])
  }
})

test('parts: what was decoded before a failure is handed over first', async () => {
  const seen: unknown[] = []
  const reading = async () => {
    for await (const { value, isLast } of partsOf(jsonLines, piecesOf(bytesOf('{"a":1}\n{"a":2}\nno\n'), 8))) {
      seen.push([value, isLast])
    }
  }
  await rejects(reading(), 'response/not-decodable', /line 3/)
  assert.deepEqual(seen, [[[{ a: 1 }, { a: 2 }], false]])
})
