/** A connector's own classes for records and schemas: what each is given, and each way it can be wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, type Notice, readPages, readRecords } from '../../src/index.ts'
import { manifestOf, offsetPaginator, type StreamParts } from '../helpers/manifests.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { collect } from '../helpers/collect.ts'
import { connectorFolder } from '../helpers/connector-folder.ts'

const classes = `
import {
  type JsonRecord, type JsonSchema, type RecordContext,
  RecordExtractor, RecordFilter, RecordTransformation, SchemaLoader, SchemaNormalization,
} from 'turnleaf'

export class Rows extends RecordExtractor {
  *extract(body: any, { slice }: RecordContext) {
    const { columns, rows } = body
    delete body.rows
    for (const row of rows) yield Object.fromEntries(columns.map((name: string, index: number) => [name, row[index]]))
  }
}
export class NotAList extends RecordExtractor { extract() { return 5 } }
export class Texts extends RecordExtractor { extract() { return ['x'] } }
export class Broken extends RecordExtractor { *extract(): Iterable<JsonRecord> { throw new Error('no rows') } }

export class Even extends RecordFilter {
  override keeps(record: JsonRecord) { return Number(record['id']) % (this.parameters['by'] as number) === 0 }
}
export class OnceEach extends RecordFilter {
  override filter(records: readonly JsonRecord[]) {
    const seen = new Set()
    return records.filter(({ id }) => !seen.has(id) && seen.add(id))
  }
}
export class Misnamed extends RecordFilter { keep() { return false } }
export class Inventing extends RecordFilter { override filter() { return [{ id: 0 }] } }

export class InPlace extends RecordTransformation {
  transform(record: any, { slice }: RecordContext) { record.inner.more = true; record.size = record.size + 1 }
}
export class Another extends RecordTransformation {
  transform({ id }: JsonRecord) { return { id, made: this.config['word'] } }
}
export class Nothing extends RecordTransformation { transform(): any { return null } }
export class Later extends RecordTransformation { async transform(): Promise<any> { return {} } }

export class Percent extends SchemaNormalization {
  override normalizeValue(value: unknown, schema: JsonSchema) {
    return typeof value === 'string' && value.endsWith('%') ? Number.parseFloat(value) / 100 : super.normalizeValue(value, schema)
  }
}
export class Columns extends SchemaLoader {
  async jsonSchema({ streamName }: { streamName: string }) {
    return { type: 'object', properties: { id: { type: 'string' }, [streamName]: { type: 'number' } } }
  }
}
export class NoSchema extends SchemaLoader { jsonSchema(): any { return 'x' } }
`
const named = (type: string, name: string, more: object = {}) => ({
  type,
  class_name: `source_shop.parts.${name}`,
  ...more,
})

async function read(parts: StreamParts, body: unknown, config = {}, notices: Notice[] = []) {
  await using api = await serveApi({
    'GET /items': () => ({ text: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  await using connector = await connectorFolder({ 'source_shop/parts.ts': classes })
  const manifest = loadManifest(manifestOf({ url: api.url, ...parts }), { folder: connector.folder })
  const onNotice = (notice: Notice) => void notices.push(notice)
  return await collect(readPages(manifest, { config, onNotice }))
}
const records = async (...input: Parameters<typeof read>) => (await read(...input)).flatMap((page) => page.records)
const table = {
  columns: ['id', 'name'],
  rows: [
    [1, 'a'],
    [2, 'b'],
  ],
}
const extractor = (name: string) => ({ selector: { extractor: named('CustomRecordExtractor', name) } })

test('an extractor makes records of a body; the page still shows what was sent', async () => {
  const [page] = await read(extractor('Rows'), table)
  assert.deepEqual(page?.records, [
    { id: 1, name: 'a' },
    { id: 2, name: 'b' },
  ])
  assert.equal(page?.receivedCount, 2)
  assert.deepEqual(page?.response.body, table)
})

test('pagination counts what the extractor gives', async () => {
  const pages = [[[1], [2]], [[3]]]
  await using api = await serveApi({
    'GET /items': (query) => ({ json: { columns: ['id'], rows: pages[Number(query.get('offset') ?? 0) / 2] } }),
  })
  await using connector = await connectorFolder({ 'source_shop/parts.ts': classes })
  const paginator = offsetPaginator({ page_size: 2 })
  const manifest = loadManifest(manifestOf({ url: api.url, ...extractor('Rows'), paginator }), {
    folder: connector.folder,
  })
  assert.deepEqual(await collect(readRecords(manifest)), [{ id: 1 }, { id: 2 }, { id: 3 }])
})

for (const [name, code, message] of [
  ['NotAList', 'custom/class-failed', /source_shop\.parts\.NotAList.*not a list/],
  ['Texts', 'records/not-an-object', /source_shop\.parts\.Texts/],
  ['Broken', 'custom/class-failed', /Broken` failed: no rows/],
] as const) {
  test(`an extractor that gives what is no list of records is named: ${name}`, async () => {
    await assert.rejects(read(extractor(name), table), { code, message })
  })
}

test('a filter keeps records by its own fields, and does not change what is counted', async () => {
  const record_filter = named('CustomRecordFilter', 'Even', { by: 2 })
  const [page] = await read({ selector: { record_filter } }, { data: [{ id: 1 }, { id: 2 }, { id: 4.0 }] })
  assert.deepEqual(page?.records, [{ id: 2 }, { id: 4 }])
  assert.equal(page?.receivedCount, 3)
})

test('a filter whose method has another name is refused: it would leave out nothing', async () => {
  const record_filter = named('CustomRecordFilter', 'Misnamed')
  await assert.rejects(read({ selector: { record_filter } }, { data: [{ id: 1 }] }), {
    code: 'plan/class-incomplete',
    message: /source_shop\.parts\.Misnamed` has no method `keeps` or `filter`/,
  })
})

test('a filter may compare the records of a page', async () => {
  const record_filter = named('CustomRecordFilter', 'OnceEach')
  assert.deepEqual(await records({ selector: { record_filter } }, '{"data":[{"id":1.0},{"id":1},{"id":2}]}'), [
    { id: 1 },
    { id: 2 },
  ])
})

test('a filter cannot hand on a record of its own making', async () => {
  const record_filter = named('CustomRecordFilter', 'Inventing')
  await assert.rejects(read({ selector: { record_filter } }, { data: [{ id: 1 }] }), {
    code: 'custom/class-failed',
    message: /was not given/,
  })
})

test('a transformation changes its copy in place, or gives another record; the response stays', async () => {
  const transformations = [named('CustomTransformation', 'InPlace')]
  const [page] = await read({ stream: { transformations } }, '{"data":[{"size":2.0,"inner":{}}]}')
  assert.deepEqual(page?.records, [{ size: 3, inner: { more: true } }])
  assert.deepEqual(JSON.parse(JSON.stringify(page?.response.body)), { data: [{ size: 2, inner: {} }] })

  const another = [named('CustomTransformation', 'Another'), { type: 'RemoveFields', field_pointers: [['id']] }]
  assert.deepEqual(await records({ stream: { transformations: another } }, { data: [{ id: 1 }] }, { word: 'w' }), [
    { made: 'w' },
  ])
})

for (const name of ['Nothing', 'Later']) {
  test(`a transformation that gives no record is named: ${name}`, async () => {
    const transformations = [named('CustomTransformation', name)]
    await assert.rejects(read({ stream: { transformations } }, { data: [{ id: 1 }] }), {
      code: 'custom/class-failed',
      message: new RegExp(name),
    })
  })
}

test('a normalization of the connector’s own, with a schema of its own', async () => {
  const parts = {
    selector: { schema_normalization: named('CustomSchemaNormalization', 'Percent') },
    stream: { schema_loader: named('CustomSchemaLoader', 'Columns') },
  }
  assert.deepEqual(await records(parts, { data: [{ id: 7, items: '50%' }] }), [{ id: '7', items: 0.5 }])
})

test('a schema that is none is named', async () => {
  const stream = { schema_loader: named('CustomSchemaLoader', 'NoSchema') }
  await assert.rejects(read({ stream, selector: { schema_normalization: 'Default' } }, { data: [] }), {
    code: 'records/invalid-schema',
  })
})

test('a schema that is not needed is not loaded', async () => {
  const stream = { schema_loader: named('CustomSchemaLoader', 'NoSchema') }
  assert.deepEqual(await records({ stream }, { data: [{ id: 1 }] }), [{ id: 1 }])
})
