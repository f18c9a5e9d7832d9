/** Custom classes in every role: each is found and called, and its errors are reported as its own. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { ConnectorError, loadManifest, readPages, type ReadOptions } from '../src/index.ts'
import { components } from '../src/engine/manifest/components.ts'
import { customRoleOf } from '../src/engine/manifest/custom-types.ts'
import { stringifyJson } from '../src/std/json.ts'
import { collect } from './helpers/collect.ts'
import { connectorFolder } from './helpers/connector-folder.ts'
import { option, sourceOf, streamOf } from './helpers/manifests.ts'
import { serveApi } from './helpers/serve-api.ts'

/** Every method asks `act` first: `config.trouble` names the class that misbehaves, and how. */
const helpers = `
export function act(config, name, work) {
  const { by, how, value } = config.trouble ?? {}
  if (by !== name) return work()
  switch (how) {
    case 'throws': throw new Error('out of order')
    case 'promise': return Promise.resolve(work())
    case 'rejects': return Promise.reject(new Error('out of order'))
    case 'gives': return value
    case 'hangs': return new Promise(() => {})
    default: return work()
  }
}
export function start(config, name) {
  const { by, how } = config.trouble ?? {}
  if (by === name && how === 'constructor') throw new Error('cannot start')
}
`

const typescript = `
import * as turnleaf from 'turnleaf'
import type { BackoffContext, CustomOptions, DecoderContext, ErrorContext, HttpRequest, JsonRecord, RequestContext, RetrieverContext } from 'turnleaf'
import { act, start } from './helpers.js'

export class Key extends turnleaf.Authenticator {
  constructor(options: CustomOptions) { super(options); start(options.config, 'Key') }
  override authenticate(_: HttpRequest) { return act(this.config, 'Key', () => ({ headers: { 'X-Key': 'k-' + this.parameters['realm'] } })) }
}
export class Wait extends turnleaf.BackoffStrategy {
  constructor(options: CustomOptions) { super(options); start(options.config, 'Wait') }
  waitSeconds(_: BackoffContext) { return act(this.config, 'Wait', () => 7) }
}
export class Regions extends turnleaf.ConfigTransformation {
  constructor(options: CustomOptions) { super(options); start(options.config, 'Regions') }
  transform(config: Record<string, unknown>) { return act(config, 'Regions', () => ({ ...config, regions: String(config.region_list).split(',') })) }
}
export class TwoRegions extends turnleaf.ValidationStrategy {
  constructor(options: CustomOptions) { super(options); start(options.config, 'TwoRegions') }
  validate(value: unknown) { return act(this.config, 'TwoRegions', () => { if (!Array.isArray(value)) throw new Error('no list of regions') }) }
}
export class Lines extends turnleaf.Decoder {
  constructor(options: CustomOptions) { super(options); start(options.config, 'Lines') }
  decode({ text }: DecoderContext) { return act(this.config, 'Lines', () => ({ rows: text().split('\\n').map((line) => line.split('|')) })) }
}
export class Teapot extends turnleaf.ErrorHandler {
  constructor(options: CustomOptions) { super(options); start(options.config, 'Teapot') }
  interpret({ response }: ErrorContext) { return act(this.config, 'Teapot', () => (response?.status === 418 ? { action: 'retry', message: 'A teapot.' } : null)) }
}
export class Next extends turnleaf.PaginationStrategy {
  constructor(options: CustomOptions) { super(options); start(options.config, 'Next') }
  nextPageToken({ token }: { token: unknown }) { return act(this.config, 'Next', () => (token === null ? 'two' : null)) }
}
export class PerRegion extends turnleaf.PartitionRouter {
  constructor(options: CustomOptions) { super(options); start(options.config, 'PerRegion') }
  partitions() { return act(this.config, 'PerRegion', () => (this.config['regions'] as string[]).map((region) => ({ partition: { region } }))) }
}
export class Rows extends turnleaf.RecordExtractor {
  constructor(options: CustomOptions) { super(options); start(options.config, 'Rows') }
  extract(body: unknown) { return act(this.config, 'Rows', () => [body].flat().flatMap(({ rows }: any) => rows).map(([id, n]: string[]) => ({ id, n, day: '2024-01-03' }))) }
}
export class NotZero extends turnleaf.RecordFilter {
  constructor(options: CustomOptions) { super(options); start(options.config, 'NotZero') }
  override keeps({ n }: JsonRecord) { return act(this.config, 'NotZero', () => n !== '0') }
}
export class Reports extends turnleaf.Retriever {
  constructor(options: CustomOptions) { super(options); start(options.config, 'Reports') }
  readSlice({ fetchJson }: RetrieverContext) { return act(this.config, 'Reports', () => pages(fetchJson)) }
}
async function* pages(fetchJson: RetrieverContext['fetchJson']) {
  yield (await fetchJson({ query: { part: 1 } })).body as JsonRecord[]
}
export class Columns extends turnleaf.SchemaLoader {
  constructor(options: CustomOptions) { super(options); start(options.config, 'Columns') }
  jsonSchema() { return act(this.config, 'Columns', () => ({ type: 'object', properties: { id: { type: 'string' }, n: { type: 'integer' } } })) }
}
`

const javascript = `
import { Requester, RecordTransformation, SchemaNormalization, StateMigration } from 'turnleaf'
import { act, start } from './helpers.js'

export class Versioned extends Requester {
  constructor(options) { super(options); start(options.config, 'Versioned') }
  query(_, query) { return act(this.config, 'Versioned', () => ({ ...query, v: '2' })) }
}
export class Shout extends RecordTransformation {
  constructor(options) { super(options); start(options.config, 'Shout') }
  transform(record, { slice }) { return act(this.config, 'Shout', () => ({ ...record, id: record.id.toUpperCase(), region: slice.partition.region })) }
}
export class Numbers extends SchemaNormalization {
  constructor(options) { super(options); start(options.config, 'Numbers') }
  normalizeValue(value, schema) { return act(this.config, 'Numbers', () => super.normalizeValue(value, schema)) }
}
export class OldState extends StateMigration {
  constructor(options) { super(options); start(options.config, 'OldState') }
  shouldMigrate(state) { return 'since' in state }
  migrate(state) { return act(this.config, 'OldState', () => ({ states: [{ partition: { region: 'north' }, cursor: { day: state.since } }] })) }
}
export class Stranger {}
`

const files = {
  'source_all/helpers.js': helpers,
  'source_all/typed.ts': typescript,
  'source_all/plain.js': javascript,
}
// One for every test: its files do not change, and are compiled once.
const connector = await connectorFolder(files)
after(() => connector[Symbol.asyncDispose]())

const plain = new Set(['Versioned', 'Shout', 'Numbers', 'OldState'])

/** The role each class plays, by its component. */
const roles = {
  CustomAuthenticator: 'Key',
  CustomBackoffStrategy: 'Wait',
  CustomConfigTransformation: 'Regions',
  CustomDecoder: 'Lines',
  CustomErrorHandler: 'Teapot',
  CustomPaginationStrategy: 'Next',
  CustomPartitionRouter: 'PerRegion',
  CustomRecordExtractor: 'Rows',
  CustomRecordFilter: 'NotZero',
  CustomRequester: 'Versioned',
  CustomRetriever: 'Reports',
  CustomSchemaLoader: 'Columns',
  CustomSchemaNormalization: 'Numbers',
  CustomStateMigration: 'OldState',
  CustomTransformation: 'Shout',
  CustomValidationStrategy: 'TwoRegions',
} as const
type Role = keyof typeof roles

/** Whether a method of the role may wait, and what it must not give. */
type Answers = { waits: boolean; nonsense: readonly unknown[]; thrown?: string; code?: string }

const answers: Record<Role, Answers> = {
  CustomAuthenticator: {
    waits: true,
    nonsense: [undefined, null, 'k', [], { headers: 'k' }, { headers: { k: 5 } }, { Authorization: 'k' }],
  },
  CustomBackoffStrategy: { waits: false, nonsense: ['7', true, {}] },
  CustomConfigTransformation: { waits: true, nonsense: ['region', 5, []] },
  CustomDecoder: { waits: true, nonsense: [undefined, null, 'a|1', 5] },
  CustomErrorHandler: { waits: false, nonsense: ['retry', {}, { action: 'RETRY' }, { action: 'retry', message: 5 }] },
  CustomPaginationStrategy: { waits: false, nonsense: [true, false] },
  CustomPartitionRouter: { waits: true, nonsense: [undefined, 'north', {}, ['north'], [{}], [{ partition: 'north' }]] },
  CustomRecordExtractor: { waits: false, nonsense: [undefined, null, 'a', {}] },
  CustomRecordFilter: { waits: false, nonsense: [undefined, null, 1, 'yes'] },
  CustomRequester: { waits: false, nonsense: [undefined, null, 'v=2', []] },
  CustomRetriever: { waits: true, nonsense: [undefined, {}, 'page', [5], [{}], [{ records: {} }]] },
  CustomSchemaLoader: { waits: true, nonsense: [undefined, null, 'object', []], code: 'records/invalid-schema' },
  CustomSchemaNormalization: { waits: false, nonsense: [undefined] },
  CustomStateMigration: { waits: false, nonsense: [undefined, null, 'north', []] },
  CustomTransformation: { waits: false, nonsense: [null, 'a', []] },
  CustomValidationStrategy: { waits: true, nonsense: [false, true], thrown: 'plan/invalid-config' },
}

const nameOf = (name: string) => `source_all.${plain.has(name) ? 'plain' : 'typed'}.${name}`

function manifestWith(url: string, others: Partial<Record<Role, string>> = {}) {
  const own = (type: Role, fields: object = {}) => ({
    type,
    class_name: others[type] ?? nameOf(roles[type]),
    ...fields,
  })
  const authenticator = own('CustomAuthenticator', { realm: 'all' })
  const error_handler = {
    type: 'CompositeErrorHandler',
    error_handlers: [own('CustomErrorHandler', { backoff_strategies: [own('CustomBackoffStrategy')] })],
  }
  const all = streamOf({
    name: 'all',
    retriever: {
      requester: own('CustomRequester', {
        url_base: url,
        path: '/lines',
        http_method: 'GET',
        authenticator,
        error_handler,
      }),
      decoder: own('CustomDecoder'),
      paginator: {
        type: 'DefaultPaginator',
        pagination_strategy: own('CustomPaginationStrategy'),
        page_token_option: option('request_parameter', 'page'),
      },
      partition_router: own('CustomPartitionRouter'),
      record_selector: {
        type: 'RecordSelector',
        extractor: own('CustomRecordExtractor'),
        record_filter: own('CustomRecordFilter'),
        schema_normalization: own('CustomSchemaNormalization'),
      },
    },
    stream: {
      schema_loader: own('CustomSchemaLoader'),
      transformations: [own('CustomTransformation')],
      incremental_sync: {
        type: 'DatetimeBasedCursor',
        cursor_field: 'day',
        datetime_format: '%Y-%m-%d',
        start_datetime: '2024-01-01',
        end_datetime: '2024-01-05',
        start_time_option: option('request_parameter', 'since'),
      },
      state_migrations: [own('CustomStateMigration')],
    },
  })
  const report = {
    type: 'DeclarativeStream',
    name: 'report',
    retriever: own('CustomRetriever', {
      requester: { type: 'HttpRequester', url_base: url, path: '/report', http_method: 'GET' },
    }),
  }
  return {
    ...sourceOf([all, report]),
    spec: {
      type: 'Spec',
      connection_specification: { type: 'object', properties: {} },
      config_normalization_rules: {
        type: 'ConfigNormalizationRules',
        transformations: [own('CustomConfigTransformation')],
        validations: [
          {
            type: 'DpathValidator',
            field_path: ['regions'],
            validation_strategy: own('CustomValidationStrategy'),
          },
        ],
      },
    },
  }
}

/** A teapot first; then two pages for each region. */
function serveLines() {
  let isCold = true
  return serveApi({
    'GET /lines': (query) => {
      if (isCold) {
        isCold = false
        return { status: 418 }
      }
      return { text: query.get('page') === null ? 'a|1\nb|0' : 'c|2' }
    },
    'GET /report': () => ({ json: [{ id: 'r' }] }),
  })
}

type Attempt = { stream?: string; others?: Partial<Record<Role, string>>; trouble?: object; signal?: AbortSignal }

async function read({ stream = 'all', others, trouble, signal }: Attempt) {
  await using api = await serveLines()
  const waits: number[] = []
  const manifest = loadManifest(manifestWith(api.url, others), { folder: connector.folder })
  const options: ReadOptions = {
    stream,
    config: { region_list: 'north,south', ...(trouble && { trouble }) },
    state: { since: '2024-01-02' },
    concurrency: 1,
    signal,
    sleep: async (ms) => void waits.push(ms),
  }
  const records: object[] = []
  for await (const page of readPages(manifest, options)) records.push(...page.records)
  return { records, waits, requests: api.requests }
}

test('every role there is has its class here, but for the one that Airbyte took away', () => {
  const custom = Object.keys(components).filter((type) => customRoleOf(type) !== null)
  assert.deepEqual(custom.toSorted(), [...Object.keys(roles), 'CustomIncrementalSync'].toSorted())
})

test('all roles at once: each class is found, TypeScript or JavaScript, and each is called', async () => {
  const { records, waits, requests } = await read({})
  const day = '2024-01-03'
  assert.deepEqual(records, [
    { id: 'A', n: 1, day, region: 'north' },
    { id: 'C', n: 2, day, region: 'north' },
    { id: 'A', n: 1, day, region: 'south' },
    { id: 'C', n: 2, day, region: 'south' },
  ])
  assert.deepEqual(waits, [7000])
  assert.deepEqual(
    requests.map(({ query, headers }) => `${query.toString()} ${String(headers['x-key'])}`),
    [
      'v=2&since=2024-01-02 k-all',
      'v=2&since=2024-01-02 k-all',
      'v=2&page=two&since=2024-01-02 k-all',
      'v=2&since=2024-01-01 k-all',
      'v=2&page=two&since=2024-01-01 k-all',
    ],
  )
  assert.deepEqual((await read({ stream: 'report' })).records, [{ id: 'r' }])
})

test('what a class changes in the page it is shown changes neither the records nor the verdict', async () => {
  const text = `
import { ErrorHandler, PaginationStrategy } from 'turnleaf'
export class Tidy extends ErrorHandler {
  interpret({ response }) { response.body.data.pop(); return null }
}
export class Last extends PaginationStrategy {
  nextPageToken({ response, headers, lastRecords }) {
    if (response.version !== 2) throw new Error('no plain number')
    response.total = response.data.length
    response.data.length = 0
    for (const record of lastRecords) delete record.id
    headers['x-total-count'] = '0'
    return null
  }
}`
  await using changing = await connectorFolder({ 'source_shop/own.js': text })
  await using api = await serveApi({
    'GET /items': () => ({
      type: 'application/json',
      text: '{"total": 5, "version": 2.0, "data": [{"id": 1}, {"id": 2}]}',
    }),
  })
  const own = (type: string, name: string) => ({ type, class_name: `source_shop.own.${name}` })
  const stream = streamOf({
    url: api.url,
    name: 'items',
    requester: { error_handler: own('CustomErrorHandler', 'Tidy') },
    paginator: {
      type: 'DefaultPaginator',
      pagination_strategy: own('CustomPaginationStrategy', 'Last'),
      page_token_option: option('request_parameter', 'page'),
    },
  })
  const manifest = loadManifest(sourceOf([stream]), { folder: changing.folder })
  for await (const { records, receipt } of readPages(manifest)) {
    assert.deepEqual(records, [{ id: 1 }, { id: 2 }])
    assert.deepEqual([receipt?.verdict, receipt?.claimed?.total?.value], ['incomplete', 5])
  }
})

/** What a class may put into a record, the code of it, and what is read: a value, or words of the error. */
const odd: [name: string, code: string, expected: unknown][] = [
  ['a date', 'new Date(0)', '1970-01-01T00:00:00.000Z'],
  ['a date in a list', '[{ at: new Date(0) }]', [{ at: '1970-01-01T00:00:00.000Z' }]],
  ['a long integer', '12345678901234567890n', 12345678901234567890n],
  ['an object of a class', 'new (class Money { amount = 5; total() { return 5 } })()', { amount: 5 }],
  ['the same object twice', '(() => { const one = { a: 1 }; return [one, one] })()', [{ a: 1 }, { a: 1 }]],
  ['a function', '() => 1', /record 2 of the page has a function at `v`/],
  ['a function in a list', '{ list: [1, () => 1] }', /record 2 of the page has a function at `v\.list\.1`/],
  ['a symbol', 'Symbol()', /a symbol at `v`/],
  ['a map', 'new Map([[1, 2]])', /a Map at `v`/],
  ['a set', 'new Set([1])', /a Set at `v`/],
  ['a promise', 'Promise.resolve(1)', /a Promise at `v`/],
  ['an error', 'new Error()', /an? Error at `v`/],
  ['no date', 'new Date(NaN)', /an invalid date at `v`/],
  ['a circle', '(() => { const all = { a: {} }; all.a.all = all; return all })()', /contains itself at `v\.a\.all`/],
]
const makers: [role: string, text: string, parts: Parameters<typeof streamOf>[0]][] = [
  [
    'retriever',
    'Retriever { *readSlice() { yield made([{ id: 1 }, { id: 2 }]) } }',
    { retriever: { type: 'CustomRetriever' } },
  ],
  [
    'extractor',
    'RecordExtractor { extract(body) { return made(body.data) } }',
    { selector: { extractor: { type: 'CustomRecordExtractor' } } },
  ],
  [
    'transformation',
    'RecordTransformation { transform(record) { made([null, record]) } }',
    { stream: { transformations: [{ type: 'CustomTransformation' }] } },
  ],
  [
    'decoder',
    'Decoder { decode() { return made([{ id: 1 }, { id: 2 }]) } }',
    { fieldPath: [], retriever: { decoder: { type: 'CustomDecoder' } } },
  ],
]
const ownClass = (parts: unknown): unknown =>
  JSON.parse(JSON.stringify(parts), (_, member) =>
    String(member?.type).startsWith('Custom') ? { ...member, class_name: 'source_shop.own.Odd' } : member,
  )
for (const [role, text, parts] of makers) {
  test(`${role}: what JSON cannot hold is an error that names record and field; a date is its text`, async () => {
    await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 1 }, { id: 2 }] } }) })
    for (const [name, code, expected] of odd) {
      const made = `const made = (records) => { if (records[1].id === 2) records[1].v = ${code}; return records }`
      const bases = 'Retriever, RecordExtractor, RecordTransformation, Decoder'
      const source = `import { ${bases} } from 'turnleaf'\n${made}\nexport class Odd extends ${text}`
      await using shop = await connectorFolder({ 'source_shop/own.js': source })
      const stream = streamOf({ url: api.url, ...(ownClass(parts) as typeof parts) })
      const manifest = loadManifest(sourceOf([stream]), { folder: shop.folder })
      const records = async () => (await collect(readPages(manifest))).flatMap((page) => page.records)
      if (!(expected instanceof RegExp))
        assert.equal(stringifyJson((await records())[1]?.v), stringifyJson(expected), name)
      else
        await assert.rejects(records(), (error) => {
          assert.ok(error instanceof ConnectorError && error.code === 'custom/class-failed', String(error))
          assert.match(error.message, expected, name)
          return true
        })
    }
  })
}

const endless: [role: string, text: string, retriever: object][] = [
  ['retriever', 'Retriever { *readSlice() { for (let id = 0; ; id++) yield [{ id }] } }', { type: 'CustomRetriever' }],
  [
    'partition router',
    'PartitionRouter { *partitions() { for (let region = 0; ; region++) yield { partition: { region } } } }',
    { partition_router: { type: 'CustomPartitionRouter', class_name: 'source_shop.own.Endless' } },
  ],
]
for (const [role, text, retriever] of endless) {
  test(`${role}: a generator that never ends and never waits can be cancelled`, { timeout: 20_000 }, async () => {
    const source = `import { PartitionRouter, Retriever } from 'turnleaf'\nexport class Endless extends ${text}`
    await using endlessly = await connectorFolder({ 'source_shop/own.js': source })
    await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 1 }] } }) })
    const own = { class_name: 'source_shop.own.Endless', ...retriever }
    const manifest = loadManifest(sourceOf([streamOf({ url: api.url, name: 'items', retriever: own })]), {
      folder: endlessly.folder,
    })
    const readOn = async () => {
      for await (const page of readPages(manifest, { signal: AbortSignal.timeout(1000) })) void page
    }
    await assert.rejects(readOn(), { code: 'response/aborted', message: 'The read was cancelled.' })
  })
}

const repeating: [name: string, loop: string][] = [
  ['one partition', 'for (;;) yield { partition: { region: 1 } }'],
  ['two partitions in turn', 'for (let at = 0; ; at++) yield { partition: { region: at % 2 } }'],
]
for (const [name, loop] of repeating) {
  test(`partition router: ${name}, for ever, is an error`, { timeout: 60_000 }, async () => {
    const { records, error } = await routedBy(loop)
    assert.ok(error instanceof ConnectorError, String(error))
    assert.equal(error.code, 'custom/class-failed')
    assert.match(error.message, /source_shop.own.Router.*made before, and does not end/)
    assert.ok(records > 0)
  })
}

test('partition router: many repeated partitions that end are none', { timeout: 60_000 }, async () => {
  const loop = 'for (let at = 0; at < 60_000; at++) yield { partition: { region: at % 3 } }'
  assert.deepEqual(await routedBy(loop), { records: 3, error: null })
})

async function routedBy(loop: string): Promise<{ records: number; error: unknown }> {
  const source = `import { PartitionRouter } from 'turnleaf'\nexport class Router extends PartitionRouter { *partitions() { ${loop} } }`
  await using shop = await connectorFolder({ 'source_shop/own.js': source })
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 1 }] } }) })
  const retriever = { partition_router: { type: 'CustomPartitionRouter', class_name: 'source_shop.own.Router' } }
  const manifest = loadManifest(sourceOf([streamOf({ url: api.url, name: 'items', retriever })]), {
    folder: shop.folder,
  })
  let records = 0
  try {
    for await (const page of readPages(manifest)) records += page.records.length
    return { records, error: null }
  } catch (error) {
    return { records, error }
  }
}

test('retriever: a page that it requests ahead, and that is not wanted any more, ends no process', async () => {
  const source = `import { Retriever } from 'turnleaf'
export class Ahead extends Retriever {
  async *readSlice({ fetchJson }) {
    for (let next = fetchJson(); ; ) {
      const { body } = await next
      next = fetchJson({ query: { page: 2 } })
      yield body.data
    }
  }
}`
  await using shop = await connectorFolder({ 'source_shop/own.js': source })
  await using api = await serveApi({
    'GET /items': (query) => (query.has('page') ? setTimeout(500, { json: {} }) : { json: { data: [{ id: 1 }] } }),
  })
  const retriever = { type: 'CustomRetriever', class_name: 'source_shop.own.Ahead' }
  const manifest = loadManifest(sourceOf([streamOf({ url: api.url, name: 'items', retriever })]), {
    folder: shop.folder,
  })
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.prependListener('unhandledRejection', note)
  for await (const page of readPages(manifest)) if (page.records.length > 0) break
  await setImmediate()
  process.removeListener('unhandledRejection', note)
  assert.deepEqual(unhandled, [])
})

for (const [type, name] of Object.entries(roles) as [Role, string][]) {
  const { role, base } = customRoleOf(type) ?? { role: '', base: '' }
  const stream = name === 'Reports' ? 'report' : 'all'
  const failsWith = async (attempt: Attempt, code: string, words: readonly string[]) => {
    const error = await read({ stream, ...attempt }).then(
      () => null,
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof ConnectorError, `${type}: ${String(error)}`)
    assert.equal(error.code, code, error.message)
    for (const word of words) assert.ok(`${error.message} ${error.hint}`.includes(word), `${error.message} / ${word}`)
  }

  test(`${role}: no file, no such class, another base, a constructor that throws: the error names the class`, async () => {
    const absent = `source_all.absent.${name}`
    const hint = `class ${name} extends ${base}`
    // A missing validation class must not keep every stream from being read.
    if (type === 'CustomValidationStrategy')
      assert.ok((await read({ stream, others: { [type]: absent } })).records.length > 0)
    else await failsWith({ others: { [type]: absent } }, 'plan/class-file-missing', [role, absent, hint])
    await failsWith({ others: { [type]: 'source_all.plain.Nobody' } }, 'plan/class-missing', [role, 'Nobody', base])
    const stranger = 'source_all.plain.Stranger'
    await failsWith({ others: { [type]: stranger } }, 'plan/class-wrong-base', [role, stranger, base])
    await failsWith({ trouble: { by: name, how: 'constructor' } }, 'custom/class-failed', [
      nameOf(name),
      'cannot start',
    ])
  })

  test(`${role}: a method that throws, or gives what it should not, fails in the name of its class`, async () => {
    const { thrown = 'custom/class-failed', waits, nonsense, code = 'custom/class-failed' } = answers[type]
    const whose = thrown === 'custom/class-failed' ? nameOf(name) : ''
    await failsWith({ trouble: { by: name, how: 'throws' } }, thrown, [whose, 'out of order'])
    if (waits) {
      await failsWith({ trouble: { by: name, how: 'rejects' } }, thrown, [whose, 'out of order'])
      assert.ok((await read({ stream, trouble: { by: name, how: 'promise' } })).records.length > 0)
    } else {
      await failsWith({ trouble: { by: name, how: 'rejects' } }, 'custom/class-failed', [nameOf(name), 'a promise'])
    }
    for (const value of nonsense) {
      await failsWith({ trouble: { by: name, how: 'gives', value } }, code, [nameOf(name)])
    }
  })

  if (answers[type].waits) {
    test(`${role}: a method that never ends does not keep a reader that cancels`, { timeout: 20_000 }, async () => {
      const attempt = { trouble: { by: name, how: 'hangs' }, signal: AbortSignal.timeout(300) }
      await failsWith(attempt, 'response/aborted', ['cancelled'])
    })
  }
}
