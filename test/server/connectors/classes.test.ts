/** A class file that the builder creates: it is read with as it is, for every role there is. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { skeletonTypes, withSkeleton } from '../../../src/connector/class-skeleton.ts'
import { components } from '../../../src/engine/manifest/components.ts'
import { customRoleOf } from '../../../src/engine/manifest/custom-types.ts'
import { loadManifest, readPages } from '../../../src/index.ts'
import { option, sourceOf, streamOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { openApi } from './asking.ts'

const items = [1, 2, 3, 4, 5].map((id) => ({ id }))
const className = (type: string) => `source_shop.components.My${type.slice('Custom'.length)}`

/** Where in a manifest a component of this type is. */
function manifestWith(url: string, type: string): object {
  const own = { type, class_name: className(type) }
  const isA = (other: string) => type === other
  const handler = isA('CustomErrorHandler')
    ? own
    : { type: 'DefaultErrorHandler', ...(isA('CustomBackoffStrategy') && { backoff_strategies: [own] }) }
  const requester = {
    ...(isA('CustomRequester') ? own : { type: 'HttpRequester' }),
    url_base: url,
    path: '/items',
    http_method: 'GET',
    error_handler: handler,
    ...(isA('CustomAuthenticator') && { authenticator: own }),
  }
  const selector = {
    type: 'RecordSelector',
    extractor: isA('CustomRecordExtractor') ? own : { type: 'DpathExtractor', field_path: ['data'] },
    ...(isA('CustomRecordFilter') && { record_filter: own }),
    ...(isA('CustomSchemaNormalization') && { schema_normalization: own }),
  }
  const stream = streamOf({
    name: 'items',
    retriever: {
      requester,
      record_selector: selector,
      ...(isA('CustomDecoder') && { decoder: own }),
      ...(isA('CustomPartitionRouter') && { partition_router: own }),
      ...(isA('CustomPaginationStrategy') && {
        paginator: {
          type: 'DefaultPaginator',
          pagination_strategy: { ...own, page_size: 2 },
          page_size_option: option('request_parameter', 'limit'),
          page_token_option: option('request_parameter', 'offset'),
        },
      }),
    },
    stream: {
      ...(isA('CustomSchemaLoader') && { schema_loader: own }),
      ...(isA('CustomTransformation') && { transformations: [own] }),
      ...(isA('CustomStateMigration') && { state_migrations: [own] }),
    },
  })
  const retrieved = { type: 'DeclarativeStream', name: 'items', retriever: { ...own, requester } }
  return {
    ...sourceOf([isA('CustomRetriever') ? retrieved : stream]),
    spec: {
      type: 'Spec',
      connection_specification: { type: 'object', properties: {} },
      config_normalization_rules: {
        type: 'ConfigNormalizationRules',
        ...(isA('CustomConfigTransformation') && { transformations: [own] }),
        ...(isA('CustomValidationStrategy') && {
          validations: [{ type: 'DpathValidator', field_path: ['site'], validation_strategy: own }],
        }),
      },
    },
  }
}

describe('custom classes', () => {
  test('a class can be created for every role there is, but for the one that Airbyte took away', () => {
    const roles = Object.keys(components).filter((type) => customRoleOf(type) !== null)
    assert.deepEqual([...skeletonTypes, 'CustomIncrementalSync'].toSorted(), roles.toSorted())
  })

  test('each is created into the file of its name, and reads every record as it is', async () => {
    using api = openApi()
    await using shop = await serveApi({
      'GET /items': (query) => {
        const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 5)]
        return { json: { data: items.slice(offset, offset + limit) } }
      },
    })
    for (const type of skeletonTypes) {
      const name = type.toLowerCase()
      api.put(`${name}/manifest.json`, JSON.stringify(manifestWith(shop.url, type)))
      const created = await api.ask('POST', `/v1/connectors/${name}/classes`, { className: className(type), type })
      assert.equal(created.status, 201, `${type}: ${JSON.stringify(created.body)}`)
      assert.equal(created.body.file, 'source_shop/components.ts')
      assert.equal(readFileSync(api.at(name, created.body.file), 'utf8'), created.body.text)
      const manifest = loadManifest(manifestWith(shop.url, type), { folder: api.at(name) })
      const records: object[] = []
      const options = { stream: 'items', config: { site: 'a' }, prefetch: 'off' } as const
      for await (const page of readPages(manifest, options)) records.push(...page.records)
      assert.deepEqual(records, items, type)
    }
    assert.ok(
      shop.requests.some(({ query }) => query.get('offset') === '4'),
      'the pagination strategy turned pages',
    )
  })

  test('a file that is there gets one more class; a class that is there stays', async () => {
    using api = openApi()
    api.put('shop/manifest.yaml', 'version: 6.0.0\n')
    const make = (type: string) => api.ask('POST', '/v1/connectors/shop/classes', { className: className(type), type })
    await make('CustomRecordExtractor')
    const { body, status } = await make('CustomTransformation')
    assert.equal(status, 201)
    assert.match(body.text, /^import \{ type JsonRecord, RecordExtractor, RecordTransformation \} from 'turnleaf'\n/)
    assert.equal(body.text.match(/^import/gm)?.length, 1)
    const again = await make('CustomTransformation')
    assert.deepEqual([again.status, again.body.code], [409, 'server/exists'])
    assert.equal(readFileSync(api.at('shop/source_shop/components.ts'), 'utf8'), body.text)
    writeFileSync(api.at('shop/source_shop/plain.js'), 'export class Old {}')
    const plain = { className: 'source_shop.plain.New', type: 'CustomTransformation' }
    assert.equal((await api.ask('POST', '/v1/connectors/shop/classes', plain)).status, 409)
  })

  test('a file with code but no import of ours keeps its code', () => {
    const text = withSkeleton(
      "// mine\nimport { x } from './x.ts'\n\nexport const y = x\n",
      'CustomRecordFilter',
      'Some',
    )
    assert.match(text, /^import \{ type JsonRecord, RecordFilter \} from 'turnleaf'\n\n\/\/ mine\n/)
    assert.match(text, /export const y = x\n\nexport class Some extends RecordFilter \{/)
  })

  test('nothing is written outside of the folder, for no other type, and where other machines can ask', async () => {
    using api = openApi()
    api.put('shop/manifest.yaml', 'version: 6.0.0\n')
    mkdirSync(join(api.home, 'elsewhere'))
    symlinkSync(join(api.home, 'elsewhere'), api.at('shop/source_shop'))
    const ask = (body: object) => api.ask('POST', '/v1/connectors/shop/classes', body)
    const linked = await ask({ className: className('CustomTransformation'), type: 'CustomTransformation' })
    assert.deepEqual([linked.status, linked.body.code], [422, 'plan/class-file-outside'])
    const named = await ask({ className: '../../evil.X', type: 'CustomTransformation' })
    assert.deepEqual([named.status, named.body.code], [422, 'plan/class-name-form'])
    const other = await ask({ className: 'source_x.y.Z', type: 'HttpRequester' })
    assert.deepEqual([other.status, other.body.code], [400, 'server/invalid-request'])

    using open = openApi({ egress: 'public-only', token: null })
    open.put('shop/manifest.yaml', 'version: 6.0.0\n')
    const refused = await open.ask('POST', '/v1/connectors/shop/classes', {
      className: className('CustomTransformation'),
      type: 'CustomTransformation',
    })
    assert.deepEqual([refused.status, refused.body.code], [400, 'server/custom-code'])
  })
})
