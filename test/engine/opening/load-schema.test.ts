/** Schemas from the manifest and from the API itself: what records are made to fit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, type Notice, readRecords } from '../../../src/index.ts'
import { collect } from '../../helpers/collect.ts'
import { manifestOf, streamOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { discover, object } from './discovering.ts'

const inline = (properties: object) => ({ type: 'InlineSchemaLoader', schema: object(properties) })

test('several loaders are merged: the first that knows a property describes it', async () => {
  const schema_loader = [
    inline({ a: { type: 'string' } }),
    inline({ a: { type: 'integer' }, b: {} }),
    { type: 'InlineSchemaLoader' },
  ]
  const { schema } = await discover({ schema_loader })
  assert.deepEqual(schema, {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: ['null', 'object'],
    properties: { a: { type: 'string' }, b: {} },
  })
})

const dynamic = (url: string, more: object = {}, identifier: object = {}) => ({
  type: 'DynamicSchemaLoader',
  retriever: streamOf({ url, requester: { path: '/fields' }, fieldPath: ['tables'] }).retriever,
  schema_type_identifier: {
    type: 'SchemaTypeIdentifier',
    schema_pointer: ['fields'],
    key_pointer: ['name'],
    type_pointer: ['type'],
    ...identifier,
  },
  ...more,
})
const rule = (current_type: unknown, target_type: unknown, condition?: string) => ({
  type: 'TypesMap',
  current_type,
  target_type,
  ...(condition && { condition }),
})
const fields = (...described: object[]) => ({
  'GET /fields': () => ({ json: { tables: [{ fields: described }, { fields: [] }] } }),
})
const orNull = (type: string, more: object = {}) => ({ type: ['null', type], ...more })

/** What Airbyte's own engine (CDK 7.28.2) gives for the same responses. */
test('an API describes its own fields', async () => {
  await using api = await serveApi(
    fields(
      { name: 'Full Name', type: 'text' },
      { name: 'When', type: 'stamp' },
      { name: 'Both', type: ['string', 'integer'] },
      { name: 'Tags', type: 'tags' },
      { name: 'none' },
      { name: 'Cond', type: 'c', opt: 1 },
      { name: 'Drop', type: 'string' },
    ),
  )
  const types_mapping = [
    rule('text', 'string'),
    rule('stamp', 'timestamp_without_timezone'),
    rule('c', 'number', '{{ raw_schema.opt == 2 }}'),
    rule('c', 'integer', '{{ raw_schema.opt == config.opt }}'),
    rule('tags', {
      type: 'ComplexFieldType',
      field_type: 'array',
      items: { type: 'ComplexFieldType', field_type: 'array', items: 'number' },
    }),
  ]
  const schema_transformations = [
    { type: 'KeysToLower' },
    { type: 'KeysReplace', old: ' ', new: '_' },
    { type: 'AddFields', fields: [{ path: ['_at'], value: "{{ {'type': ['null', 'string']} }}" }] },
  ]
  const schema_filter = { type: 'RecordFilter', condition: "{{ 'Drop' not in record }}" }
  const schema_loader = dynamic(api.url, { schema_transformations, schema_filter }, { types_mapping })
  const { schema, warnings } = await discover({ schema_loader }, { url: api.url, config: { opt: 1 } })
  assert.deepEqual(warnings, [])
  assert.deepEqual(schema, {
    $schema: 'https://json-schema.org/draft-07/schema#',
    type: 'object',
    additionalProperties: true,
    properties: {
      full_name: orNull('string'),
      when: orNull('string', { format: 'date-time', airbyte_type: 'timestamp_without_timezone' }),
      both: { oneOf: [orNull('string'), orNull('integer')] },
      tags: orNull('array', { items: orNull('array', { items: orNull('number') }) }),
      none: orNull('string'),
      cond: orNull('integer'),
      _at: orNull('string'),
    },
  })
  assert.deepEqual(api.asked, ['GET /fields'])
})

test('no record describes no field', async () => {
  await using api = await serveApi({ 'GET /fields': () => ({ json: { tables: [] } }) })
  const { schema } = await discover({ schema_loader: dynamic(api.url) }, { url: api.url })
  assert.deepEqual(schema?.properties, {})
})

test('an unknown type is reported, and its field may hold anything', async () => {
  await using api = await serveApi(
    fields({ name: 'a', type: 'wat' }, { name: 'b', type: 7 }, { name: 'c', type: 'string' }),
  )
  const { schema, warnings } = await discover({ schema_loader: dynamic(api.url) }, { url: api.url })
  assert.deepEqual(schema?.properties, { a: {}, b: {}, c: orNull('string') })
  assert.equal(warnings.length, 2)
  assert.match(warnings[0] ?? '', /`a` has an unknown type, "wat"/)
})

for (const [name, described, message] of [
  ['no list', { tables: [{ fields: { a: 1 } }] }, /not a list/],
  ['nothing there', { tables: [{ other: [] }] }, /not a list/],
  ['a field without a name', { tables: [{ fields: [{ type: 'string' }] }] }, /name of a field/],
  ['texts for fields', { tables: [{ fields: ['a'] }] }, /name of a field/],
] as const) {
  test(`fields that are not described as expected are a typed error: ${name}`, async () => {
    await using api = await serveApi({ 'GET /fields': () => ({ json: described }) })
    await assert.rejects(discover({ schema_loader: dynamic(api.url) }, { url: api.url }), {
      code: 'records/invalid-schema',
      message,
    })
  })
}

test('an API that does not describe its fields fails discover: fewer columns would pass for a change', async () => {
  await using api = await serveApi({ 'GET /fields': () => ({ status: 403, text: '' }) })
  await assert.rejects(discover({ schema_loader: dynamic(api.url) }, { url: api.url }), { code: 'response/rejected' })
})

test('values are cast to a schema of any origin, which is requested once for all slices', async () => {
  await using api = await serveApi({
    ...fields({ name: 'id', type: 'string' }, { name: 'size', type: 'number' }),
    'GET /items': () => ({
      json: {
        data: [
          { id: 1, size: 'x' },
          { id: 2, size: 'y' },
        ],
      },
    }),
  })
  const parts = {
    url: api.url,
    stream: { schema_loader: dynamic(api.url) },
    selector: { schema_normalization: 'Default' },
    retriever: { partition_router: { type: 'ListPartitionRouter', values: ['x', 'y'], cursor_field: 'part' } },
  }
  const notices: Notice[] = []
  const manifest = loadManifest(manifestOf(parts))
  const records = await collect(readRecords(manifest, { onNotice: (notice) => void notices.push(notice) }))
  assert.deepEqual(records.slice(0, 2), [
    { id: '1', size: 'x' },
    { id: '2', size: 'y' },
  ])
  assert.equal(api.asked.filter((line) => line.includes('/fields')).length, 1)
  assert.deepEqual(notices, [
    {
      kind: 'warning',
      text: '`size` should be null or number, but values of the type string cannot be converted: they stay as they are.',
    },
  ])
})

test('a schema that cannot be understood in full is reported once, with the place', async () => {
  const loader = inline({
    a: { type: 'money' },
    b: { type: 'object', properties: { c: 'x' } },
    d: { type: ['null', 'string'] },
  })
  const { schema, warnings } = await discover({ schema_loader: loader })
  assert.deepEqual(schema, loader.schema)
  assert.deepEqual(warnings, [
    'Stream "items": The schema has an error: `a` has the unknown type "money", and 1 more like it.',
  ])
})

const file_uploader = {
  requester: streamOf({}).retriever.requester,
  download_target_extractor: { type: 'DpathExtractor', field_path: ['url'] },
}

test('a stream whose records name files gives the records, and says so', async () => {
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ url: 'x' }] } }) })
  const manifest = loadManifest(manifestOf({ url: api.url, stream: { file_uploader } }))
  const notices: Notice[] = []
  assert.deepEqual(await collect(readRecords(manifest, { onNotice: (notice) => void notices.push(notice) })), [
    { url: 'x' },
  ])
  assert.match(JSON.stringify(notices), /files that its records name are not fetched/)
  await assert.rejects(collect(readRecords(manifest, { wantsFiles: true })), { code: 'manifest/unsupported-component' })
})
