/** Decoders in a whole read, against a real server. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { loadManifest, type Page, type ReadOptions, readPages } from '../src/index.ts'
import { hasCode } from './engine/response/asking.ts'
import { cursorPaginator, manifestOf, offsetPaginator, type StreamParts } from './helpers/manifests.ts'
import { countsOf, verdictOf } from './helpers/receipts.ts'
import { type Answer, serveApi } from './helpers/serve-api.ts'

const instantly = { sleep: async () => {}, random: () => 0 }
const bytes = (body: string | Uint8Array, headers: Record<string, string> = {}): Answer => ({
  raw: (response) => response.writeHead(200, headers).end(body),
})
const withDecoder = (decoder: object, parts: StreamParts = {}): StreamParts => ({
  fieldPath: [],
  ...parts,
  retriever: { decoder },
})

async function pagesOf(parts: StreamParts, options: ReadOptions = {}): Promise<Page[]> {
  const pages: Page[] = []
  for await (const page of readPages(loadManifest(manifestOf(parts)), { ...instantly, ...options })) pages.push(page)
  return pages
}

const recordsOf = async (parts: StreamParts, options?: ReadOptions) =>
  (await pagesOf(parts, options)).flatMap(({ records }) => records)

const csv = 'id,name\n1,Ann\n2,"Bo ""B"""\n'
const csvRecords = [
  { id: '1', name: 'Ann' },
  { id: '2', name: 'Bo "B"' },
]
const zip = (files: Record<string, string | Uint8Array>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])))

const formats: { decoder: Record<string, unknown>; answer: Answer; records: object[]; fieldPath?: string[] }[] = [
  { decoder: { type: 'CsvDecoder' }, answer: bytes(csv), records: csvRecords },
  {
    decoder: { type: 'CsvDecoder' },
    answer: bytes(gzipSync(csv), { 'content-encoding': 'gzip' }),
    records: csvRecords,
  },
  { decoder: { type: 'JsonlDecoder' }, answer: bytes('{"id":1}\n\n{"id":2.0}'), records: [{ id: 1 }, { id: 2 }] },
  {
    decoder: { type: 'JsonlDecoder' },
    answer: bytes('{"a":{"id":1}}\n{"b":2}'),
    records: [{ id: 1 }],
    fieldPath: ['a'],
  },
  { decoder: { type: 'IterableDecoder' }, answer: bytes('a\r\nb'), records: [{ record: 'a' }, { record: 'b' }] },
  {
    decoder: { type: 'JsonItemsDecoder', items_path: 'd.list' },
    answer: bytes('{"n":1,"d":{"list":[{"id":1},{"id":2}]}}'),
    records: [{ id: 1 }, { id: 2 }],
  },
  {
    decoder: { type: 'XmlDecoder' },
    answer: bytes('<r><i id="1">a</i><i id="2"/></r>'),
    records: [{ '@id': '1', '#text': 'a' }, { '@id': '2' }],
    fieldPath: ['r', 'i'],
  },
  {
    decoder: { type: 'GzipDecoder', decoder: { type: 'CsvDecoder' } },
    answer: bytes(gzipSync(csv)),
    records: csvRecords,
  },
  {
    decoder: { type: 'GzipDecoder', decoder: { type: 'CsvDecoder' } },
    answer: bytes(gzipSync(gzipSync(csv)), { 'content-encoding': 'gzip', 'content-type': 'application/gzip' }),
    records: csvRecords,
  },
  {
    decoder: { type: 'GzipDecoder', decoder: { type: 'JsonDecoder' } },
    answer: bytes(gzipSync('{"data":[{"id":1}]}')),
    records: [{ id: 1 }],
    fieldPath: ['data'],
  },
  {
    decoder: { type: 'ZipfileDecoder', decoder: { type: 'CsvDecoder' } },
    answer: bytes(zip({ 'a.csv': csv, 'b.csv': 'z\n9\n' })),
    records: [...csvRecords, { z: '9' }],
  },
]

for (const { decoder, answer, records, fieldPath = [] } of formats) {
  test(`${JSON.stringify(decoder)} to ${records.length} records`, async () => {
    await using api = await serveApi({ 'GET /items': () => answer })
    const [page, ...others] = await pagesOf(withDecoder(decoder, { url: api.url, fieldPath }))
    assert.deepEqual(page?.records, records)
    assert.deepEqual([page?.index, page?.part, page?.stop, others.length], [0, 0, 'not-paginated', 0])
  })
}

test('a large body comes in parts: one request, one page, one receipt', async () => {
  const body = Array.from({ length: 2_500 }, (_, id) => JSON.stringify({ id })).join('\n')
  await using api = await serveApi({ 'GET /items': () => bytes(body) })
  const pages = await pagesOf(withDecoder({ type: 'JsonlDecoder' }, { url: api.url }))
  assert.deepEqual(
    pages.map(({ index, part, records, receivedCount, stop, next }) => [
      index,
      part,
      records.length,
      receivedCount,
      stop,
      next,
    ]),
    [
      [0, 0, 1000, 1000, null, null],
      [0, 1, 1000, 1000, null, null],
      [0, 2, 500, 500, 'not-paginated', null],
    ],
  )
  assert.deepEqual(
    pages.map(({ receipt }) => countsOf(receipt)),
    [undefined, undefined, { pages: 1, received: 2_500, emitted: 2_500, stop: 'not-paginated' }],
  )
  assert.equal(verdictOf(pages.at(-1)?.receipt), 'unproven: the API reports no total')
  assert.equal(
    pages.reduce((sum, { response }) => sum + response.bytes, 0),
    body.length,
  )
  assert.deepEqual(api.asked, ['GET /items'])
})

test('a body larger than the limit for a page is read when it comes in parts', async () => {
  const body = 'id\n'.concat('123456789\n'.repeat(5_000))
  await using api = await serveApi({ 'GET /items': () => bytes(body) })
  const records = await recordsOf(withDecoder({ type: 'CsvDecoder' }, { url: api.url }), {
    limits: { maxBodyBytes: 1_000 },
  })
  assert.equal(records.length, 5_000)
})

test('a connection cut in the middle: the records so far, then the error', async () => {
  await using api = await serveApi({
    'GET /items': () => ({ raw: (response) => response.write('{"id":1}\n{"id":2}\n{"id"', () => response.destroy()) }),
  })
  const seen: unknown[] = []
  const manifest = loadManifest(manifestOf(withDecoder({ type: 'JsonlDecoder' }, { url: api.url })))
  await assert.rejects(async () => {
    for await (const { records, stop } of readPages(manifest, instantly)) seen.push([records, stop])
  }, hasCode('response/cut-short'))
  assert.deepEqual(seen, [[[{ id: 1 }, { id: 2 }], null]])
  assert.equal(api.asked.length, 1)
})

test('a bad line in the middle: the records before it, then the error that names it', async () => {
  await using api = await serveApi({ 'GET /items': () => bytes('{"id":1}\n<html>\n{"id":2}\n') })
  const reading = recordsOf(withDecoder({ type: 'JsonlDecoder' }, { url: api.url }))
  await assert.rejects(reading, hasCode('response/not-decodable', /\/items \(status 200, no content type\).*line 2/))
})

test('pagination works with formats of items: a page is then read whole', async () => {
  const all = ['1', '2', '3', '4', '5', '6', '7']
  await using api = await serveApi({
    'GET /items': (query) => {
      const offset = Number(query.get('offset') ?? 0)
      return bytes(`id\n${all.slice(offset, offset + 3).join('\n')}\n`)
    },
  })
  const records = await recordsOf(withDecoder({ type: 'CsvDecoder' }, { url: api.url, paginator: offsetPaginator() }))
  assert.deepEqual(
    records.map(({ id }) => id),
    all,
  )
  const expected = ['GET /items?limit=3', 'GET /items?offset=3&limit=3', 'GET /items?offset=6&limit=3']
  assert.deepEqual(api.asked.toSorted().slice(0, 3), expected.toSorted())
})

test('pagination sees what gzip holds: Airbyte sees nothing there and stops after the first page', async () => {
  const next: Record<string, string | null> = { '': 'b', b: null }
  await using api = await serveApi({
    'GET /items': (query) => {
      const cursor = query.get('cursor') ?? ''
      return bytes(gzipSync(JSON.stringify({ data: [{ id: cursor }], next: next[cursor] })))
    },
  })
  const decoder = { type: 'GzipDecoder', decoder: { type: 'JsonDecoder' } }
  const paginator = cursorPaginator('{{ response.next }}')
  const records = await recordsOf(withDecoder(decoder, { url: api.url, paginator, fieldPath: ['data'] }))
  assert.deepEqual(records, [{ id: '' }, { id: 'b' }])
})

test('pagination sees XML as an object', async () => {
  await using api = await serveApi({
    'GET /items': (query) => bytes(query.has('cursor') ? '<r><i>2</i></r>' : '<r><i>1</i><next>z</next></r>'),
  })
  const paginator = cursorPaginator("{{ response.r.get('next') }}")
  const records = await recordsOf(withDecoder({ type: 'XmlDecoder' }, { url: api.url, paginator, fieldPath: ['r'] }))
  assert.deepEqual(records, [{ i: '1', next: 'z' }, { i: '2' }])
})

test('rules see the body of a refusal, and nothing of a streamed answer', async () => {
  let asked = 0
  await using api = await serveApi({
    'GET /items': () => (asked++ === 0 ? { status: 400, json: { error: 'still packing' } } : bytes('id\n1\n')),
  })
  const error_handler = {
    type: 'DefaultErrorHandler',
    response_filters: [
      { type: 'HttpResponseFilter', action: 'RETRY', error_message_contains: 'still packing' },
      { type: 'HttpResponseFilter', action: 'FAIL', predicate: '{{ response | length > 0 }}' },
    ],
  }
  const parts = withDecoder({ type: 'CsvDecoder' }, { url: api.url, requester: { error_handler } })
  assert.deepEqual(await recordsOf(parts), [{ id: '1' }])
})

test('stopping early ends the download', async () => {
  let isClosed: Promise<unknown> = Promise.resolve()
  await using api = await serveApi({
    'GET /items': () => ({
      raw: (response) => {
        isClosed = new Promise((resolve) => response.on('close', resolve))
        response.write('{"id":1}\n'.repeat(3_000))
      },
    }),
  })
  const manifest = loadManifest(manifestOf(withDecoder({ type: 'JsonlDecoder' }, { url: api.url })))
  for await (const page of readPages(manifest)) {
    assert.equal(page.records.length, 1_000)
    break
  }
  await isClosed
})

const classes = `
import { Decoder, type DecoderContext } from 'turnleaf'
export class Pairs extends Decoder {
  *decode({ text }: DecoderContext) {
    for (const line of text().trim().split('\\n')) yield Object.fromEntries([line.split(this.parameters['sign'] as string)])
  }
}
export class Sizes extends Decoder {
  override get isStreamed() { return true }
  async *decode({ chunks, body }: DecoderContext) {
    for await (const chunk of chunks) yield { bytes: chunk.length, held: body.length }
  }
}
export class Single extends Decoder {
  async decode({ status }: DecoderContext) { return { data: [{ status }] } }
}
export class Failing extends Decoder {
  *decode() { yield { id: 1 }; throw new Error('no idea') }
}
`

test('a decoder of the connector’s own: a generator, a stream, one value, a failure', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-decoder-'))
  try {
    await mkdir(join(folder, 'source_x'))
    await writeFile(join(folder, 'source_x/own.ts'), classes)
    await using api = await serveApi({ 'GET /items': () => bytes('a=1\nb=2\n') })
    const read = async (name: string, fieldPath: string[] = []) => {
      const decoder = { type: 'CustomDecoder', class_name: `source_x.own.${name}`, sign: '=' }
      const manifest = loadManifest(manifestOf(withDecoder(decoder, { url: api.url, fieldPath })), { folder })
      const records: unknown[] = []
      for await (const page of readPages(manifest, instantly)) records.push(...page.records)
      return records
    }
    assert.deepEqual(await read('Pairs'), [{ a: '1' }, { b: '2' }])
    assert.deepEqual(await read('Sizes'), [{ bytes: 8, held: 0 }])
    assert.deepEqual(await read('Single', ['data']), [{ status: 200 }])
    await assert.rejects(read('Failing'), hasCode('custom/class-failed', /Failing.*no idea/))
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('CSV with another delimiter than the decoder has is one column: a warning says so, once', async () => {
  const cases: [text: string, delimiter: string | undefined, words: RegExp | null][] = [
    ['id;name\n1;Ann\n', undefined, /set `delimiter` to ";"/],
    ['id\tname\n1\tAnn\n', undefined, /set `delimiter` to "\\t"/],
    ['id|name\n1|Ann\n', ';', /set `delimiter` to "\|"/],
    ['id,name\n1,Ann\n', ';', /set `delimiter` to ","/],
    ['id;name\n1;Ann\n', ';', null],
    ['id\n1\n', undefined, null],
    ['id,a;b\n1,2\n', undefined, null],
    ['"a, b"\n1\n', undefined, null],
  ]
  for (const [text, delimiter, words] of cases) {
    await using api = await serveApi({ 'GET /items': () => bytes(text) })
    const warnings: string[] = []
    const partition_router = { type: 'ListPartitionRouter', values: ['1', '2'], cursor_field: 'part' }
    const decoder = { type: 'CsvDecoder', ...(delimiter && { delimiter }) }
    const parts = { url: api.url, fieldPath: [], retriever: { decoder, partition_router } }
    await pagesOf(parts, { onNotice: (notice) => void (notice.kind === 'warning' && warnings.push(notice.text)) })
    assert.equal(warnings.length, words === null ? 0 : 1, `${text}: ${warnings.join()}`)
    if (words !== null) assert.match(warnings.join(), words)
  }
})
