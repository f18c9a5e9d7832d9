/** Schemas in files of the connector's folder. */
import assert from 'node:assert/strict'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadManifest, readRecords } from '../../../src/index.ts'
import { collect } from '../../helpers/collect.ts'
import { connectorFolder } from '../../helpers/connector-folder.ts'
import { manifestOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { anyRecord, discover, object } from './discovering.ts'

const file = (file_path?: string, parameters?: object) => ({
  type: 'JsonFileSchemaLoader',
  ...(file_path !== undefined && { file_path }),
  ...(parameters && { $parameters: parameters }),
})

const places: [name: string, loader: object | undefined, path: string][] = [
  ['without a path, by the name of the stream', file(), 'schemas/items.json'],
  ['without a path, by the name in $parameters', file(undefined, { name: 'other' }), 'schemas/other.json'],
  ['without a loader', undefined, 'schemas/items.json'],
  ['by a path', file('./lists/{{ config.kind }}.json'), 'lists/big.json'],
  ['in the package of a Python connector', file('./source_shop/schemas/items.json'), 'source_shop/schemas/items.json'],
  ['in that package, next to the manifest', file('./source_shop/schemas/items.json'), 'schemas/items.json'],
]
for (const [name, schema_loader, path] of places) {
  test(`a schema file is found ${name}`, async () => {
    await using connector = await connectorFolder({ [path]: JSON.stringify(object({ id: { type: 'integer' } })) })
    const stream = schema_loader === undefined ? {} : { schema_loader }
    const found = await discover(stream, { folder: connector.folder, config: { kind: 'big' } })
    assert.deepEqual(found, { schema: object({ id: { type: 'integer' } }), warnings: [] })
  })
}

test('references in a schema file lead into it and into its folder `shared`', async () => {
  const items = {
    type: 'object',
    properties: {
      a: { $ref: '#/definitions/money' },
      b: { $ref: 'user.json' },
      c: { type: 'array', items: { $ref: 'user.json#/properties/id' } },
    },
    definitions: { money: { type: 'number' } },
  }
  const user = { type: 'object', properties: { id: { type: 'integer' }, best: { $ref: 'name.json' } } }
  await using connector = await connectorFolder({
    'schemas/items.json': JSON.stringify(items),
    'schemas/shared/user.json': JSON.stringify({ ...user, definitions: {} }),
    'schemas/shared/name.json': '{"type":"string"}',
  })
  const { schema } = await discover({ schema_loader: file() }, connector)
  const whole = { ...user, properties: { id: { type: 'integer' }, best: { type: 'string' } } }
  const resolved = object({ a: { type: 'number' }, b: whole, c: { type: 'array', items: { type: 'integer' } } })
  assert.deepEqual(schema, { ...resolved, definitions: items.definitions })
})

const faulty: [name: string, text: string, message: RegExp][] = [
  ['no JSON', '{', /not readable as JSON/],
  ['no object', '[]', /not an object/],
  [
    'a reference to nothing',
    '{"properties":{"a":{"$ref":"#/definitions/x"}}}',
    /"#\/definitions\/x", which is not there/,
  ],
  ['a reference to no file', '{"properties":{"a":{"$ref":"x.json"}}}', /"x\.json", which is not there/],
  ['a reference to itself', '{"properties":{"a":{"$ref":"#/properties/a"}}}', /contains itself/],
  ['a circle', '{"properties":{"a":{"items":{"$ref":"#"}}}}', /contains itself/],
  [
    'a reference out of the folder',
    '{"properties":{"a":{"$ref":"../../../out.json"}}}',
    /outside the connector's folder/,
  ],
  [
    'references that multiply',
    JSON.stringify({
      properties: { a: { $ref: '#/d9' } },
      d0: { type: 'string' },
      ...Object.fromEntries(
        Array.from({ length: 9 }, (_, n) => [
          `d${n + 1}`,
          { properties: Object.fromEntries(Array.from({ length: 9 }, (__, m) => [m, { $ref: `#/d${n}` }])) },
        ]),
      ),
    }),
    /too large/,
  ],
]
for (const [name, text, message] of faulty) {
  test(`a schema file with ${name} is a typed error where it is needed`, async () => {
    await using connector = await connectorFolder({ 'schemas/items.json': text })
    const parts = { stream: { schema_loader: file() }, selector: { schema_normalization: 'Default' } }
    const manifest = loadManifest(manifestOf(parts), connector)
    await assert.rejects(collect(readRecords(manifest)), { code: /^records\/(invalid-schema|schema-file)$/, message })
  })
}

test('a missing file is an error to a cast, a warning to discover, and nothing to a plain read', async () => {
  await using connector = await connectorFolder({})
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 1 }] } }) })
  const stream = { schema_loader: file() }
  assert.deepEqual(await discover({ schema_loader: file() }, connector), {
    schema: anyRecord,
    warnings: ['Stream "items": Its schema is unknown. The schema schemas/items.json does not exist.'],
  })
  assert.deepEqual((await discover({ schema_loader: file() })).schema, anyRecord)
  const plain = loadManifest(manifestOf({ url: api.url, stream }), connector)
  assert.deepEqual(await collect(readRecords(plain)), [{ id: 1 }])
  const cast = loadManifest(
    manifestOf({ url: api.url, stream, selector: { schema_normalization: 'Default' } }),
    connector,
  )
  await assert.rejects(collect(readRecords(cast)), { code: 'records/schema-file' })
})

for (const path of [
  '../secret.json',
  '/../secret.json',
  'schemas/../../secret.json',
  'linked.json',
  'folder/secret.json',
  '{{ config.kind }}.json',
]) {
  test(`no path leads out of the folder: ${path}`, async () => {
    await using outer = await connectorFolder({ 'secret.json': '{"title":"secret"}' })
    const folder = join(outer.folder, 'inner')
    await mkdir(folder)
    await symlink(join(outer.folder, 'secret.json'), join(folder, 'linked.json'))
    await symlink(outer.folder, join(folder, 'folder'))
    const found = await discover({ schema_loader: file(path) }, { folder, config: { kind: '../secret' } })
    assert.deepEqual(found.schema, anyRecord)
    assert.match(found.warnings[0] ?? '', /outside the connector's folder/)
  })
}

test('a path through a file leads to nothing', async () => {
  await using connector = await connectorFolder({ 'schemas/items.json': '{}' })
  const { schema } = await discover({ schema_loader: file('schemas/items.json/deeper.json') }, connector)
  assert.deepEqual(schema, anyRecord)
})

test('a secret of the config does not show in the error of a schema', async () => {
  await using connector = await connectorFolder({})
  const spec = { type: 'object', properties: { key: { type: 'string', airbyte_secret: true } } }
  const parts = {
    spec,
    stream: { schema_loader: file('{{ config.key }}.json') },
    selector: { schema_normalization: 'Default' },
  }
  const manifest = loadManifest(manifestOf(parts), connector)
  const failure = await collect(readRecords(manifest, { config: { key: 'hush-hush-hush' } })).catch(
    (error: Error) => error,
  )
  assert.ok(failure instanceof Error)
  assert.doesNotMatch(failure.message, /hush/)
})
