/** `validate` says "runs" only of streams that can: what is wrong whatever the config says is an error with a place. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadManifest } from '../../src/connector/load-manifest.ts'
import { checkManifest } from '../../src/engine/manifest/check.ts'
import { readPages } from '../../src/read-manifest.ts'
import { problemsOf, streamSupport } from '../../src/validation/stream-support.ts'
import { connectorFolder } from '../helpers/connector-folder.ts'
import {
  cursorPaginator,
  manifestOf,
  offsetPaginator,
  sourceOf,
  streamOf,
  type StreamParts,
} from '../helpers/manifests.ts'
import { serveApi } from '../helpers/serve-api.ts'

async function validated(manifest: object, folder: string | null = null) {
  const { manifest: checked, problems } = checkManifest(manifest)
  assert.ok(checked !== null, JSON.stringify(problems))
  const support = await streamSupport(checked, folder)
  return {
    runs: support.map(({ runs }) => runs),
    problems: problemsOf(support).map(({ code, severity, at }) => `${severity} ${code} ${at.pointer}`),
    hints: problemsOf(support).map(({ hint }) => hint),
    messages: problemsOf(support).map(({ message }) => message),
  }
}

const clean = { runs: [true], problems: [], hints: [], messages: [] }
const at = '/streams/0'

describe('plans that no config makes possible', () => {
  const requester = `${at}/retriever/requester`
  const strategy = `${at}/retriever/paginator/pagination_strategy`
  const waiting = (regex: string) => ({
    error_handler: {
      type: 'DefaultErrorHandler',
      backoff_strategies: [{ type: 'WaitTimeFromHeader', header: 'Retry-After', regex }],
    },
  })
  const router = (values: unknown): StreamParts => ({
    retriever: { partition_router: { type: 'ListPartitionRouter', values, cursor_field: 'x' } },
  })
  const oauth = { type: 'OAuthAuthenticator', client_id: 'a', client_secret: 'b', refresh_token: 'c' }
  const wrong: [parts: StreamParts, problem: string][] = [
    [{ url: 'api.example.com' }, `request/invalid-url ${requester}/url_base`],
    [{ url: 'ftp://api.example.com' }, `request/invalid-url ${requester}/url_base`],
    [{ url: 'https://' }, `request/invalid-url ${requester}/url_base`],
    [{ url: 'https://exa mple.com' }, `request/invalid-url ${requester}/url_base`],
    [{ url: 'https://', requester: { path: '{{ stream_slice.x }}' } }, `request/invalid-url ${requester}/url_base`],
    [{ url: '', requester: { path: 'items' } }, `request/invalid-url ${requester}/url_base`],
    [{ paginator: offsetPaginator({ page_size: 'ten' }) }, `plan/invalid-page-size ${strategy}/page_size`],
    [{ paginator: offsetPaginator({ page_size: "{{ 'x' }}" }) }, `plan/invalid-page-size ${strategy}/page_size`],
    [router('{{ 5 }}'), `slices/invalid-values ${at}/retriever/partition_router/values`],
    [{ requester: waiting('(') }, `manifest/invalid-value ${requester}/error_handler/backoff_strategies/0/regex`],
    [{ requester: { authenticator: oauth } }, `manifest/missing-field ${requester}/authenticator`],
    [{ fieldPath: ['**', 'leaf'] }, `manifest/invalid-value ${at}/retriever/record_selector/extractor/field_path/0`],
    [
      { fieldPath: ['data', 'item_*'] },
      `manifest/invalid-value ${at}/retriever/record_selector/extractor/field_path/1`,
    ],
  ]
  for (const [parts, problem] of wrong) {
    test(`${problem}: ${JSON.stringify(parts)}`, async () => {
      const { runs, problems } = await validated(manifestOf(parts))
      assert.deepEqual({ runs, problems }, { runs: [false], problems: [`error ${problem}`] })
    })
  }

  const fine: StreamParts[] = [
    { url: '{{ config.url }}' },
    { url: 'https://{{ config.shop }}' },
    { url: '', requester: { path: '{{ next_page_token.next_page_token or config.first }}' } },
    { url: '', requester: { path: 'https://api.example.com/items' } },
    { paginator: offsetPaginator({ page_size: '{{ config.size }}' }) },
    { paginator: offsetPaginator({ page_size: '100' }) },
    router('{{ config.shops }}'),
    router("{{ ['a', 'b'] }}"),
    router([]),
    { requester: waiting('{{ config.pattern }}') },
    { requester: { authenticator: { ...oauth, token_refresh_endpoint: '{{ config.endpoint }}' } } },
  ]
  for (const parts of fine) {
    test(`fine: ${JSON.stringify(parts)}`, async () => {
      assert.deepEqual(await validated(manifestOf(parts)), clean)
    })
  }

  test('how many slices are read at a time counts for every stream', async () => {
    const concurrency_level = (default_concurrency: unknown) => ({ type: 'ConcurrencyLevel', default_concurrency })
    const source = (level: unknown) => ({ ...manifestOf({}), concurrency_level: concurrency_level(level) })
    const { runs, problems } = await validated(source("{{ 'x' }}"))
    assert.deepEqual([runs, problems], [[false], ['error plan/invalid-number /concurrency_level/default_concurrency']])
    assert.deepEqual(await validated(source('{{ config.n or 3 }}')), clean)
  })
})

test('an input under a name that is nearly that of the spec is a warning', async () => {
  const spec = { type: 'object', properties: { api_key: { type: 'string' }, start: { type: 'string' } } }
  const checked = async (a: string) => {
    const { runs, problems, messages } = await validated(manifestOf({ requester: { request_parameters: { a } }, spec }))
    assert.deepEqual(runs, [true])
    for (const one of problems)
      assert.equal(one, `warning template/unknown-input ${at}/retriever/requester/request_parameters/a`)
    return messages
  }
  const message = 'The spec has no input `apikey`. Did you mean `api_key`?'
  for (const template of ['{{ config.apikey }}', "{{ config['apikey'] }}", "x{{ config.apikey[:3] ~ 'y' }}"])
    assert.deepEqual(await checked(template), [message], template)
  for (const template of ['{{ config.api_key }}', "{{ config.get('start') }}", '{{ config.something_else }}'])
    assert.deepEqual(await checked(template), [], template)
})

describe('durations and dates that no config can change', () => {
  const cursor = (fields: object): StreamParts => ({
    stream: {
      incremental_sync: {
        type: 'DatetimeBasedCursor',
        cursor_field: 'at',
        datetime_format: '%Y-%m-%d',
        start_datetime: '2024-01-01',
        ...fields,
      },
    },
  })
  const date = (fields: object) => ({ type: 'MinMaxDatetime', datetime: '2024-01-01', ...fields })
  const sync = `${at}/incremental_sync`

  for (const [fields, problem] of [
    [{ step: 'P1X', cursor_granularity: 'P1D' }, `plan/invalid-duration ${sync}/step`],
    [{ step: 'P0D', cursor_granularity: 'P1D' }, `plan/invalid-duration ${sync}/step`],
    [{ step: 'P1D', cursor_granularity: '1D' }, `plan/invalid-duration ${sync}/cursor_granularity`],
    [{ lookback_window: '7 days' }, `plan/invalid-duration ${sync}/lookback_window`],
    [
      { lookback_window: '{{ parameters.back }}', $parameters: { back: '7D' } },
      `plan/invalid-duration ${sync}/lookback_window`,
    ],
    [{ start_datetime: '2024-13-01' }, `plan/invalid-date ${sync}/start_datetime`],
    [{ start_datetime: '2024-01-01T00:00:00Z' }, `plan/invalid-date ${sync}/start_datetime`],
    [{ end_datetime: 'never' }, `plan/invalid-date ${sync}/end_datetime`],
    [{ start_datetime: date({ datetime_format: '%Y/%m/%d' }) }, `plan/invalid-date ${sync}/start_datetime/datetime`],
    [{ start_datetime: date({ min_datetime: 'x' }) }, `plan/invalid-date ${sync}/start_datetime/min_datetime`],
    [
      { datetime_format: '%Y-%m-%dT%H:%M:%S%:z', start_datetime: '{{ config.start }}' },
      `manifest/invalid-value ${sync}/datetime_format`,
    ],
    [
      { datetime_format: '%Y-%m-%d %L', cursor_datetime_formats: ['%Y-%m-%d'] },
      `manifest/invalid-value ${sync}/datetime_format`,
    ],
    [{ datetime_format: '%s000', start_datetime: '0' }, `manifest/invalid-value ${sync}/datetime_format`],
  ] as const) {
    test(JSON.stringify(fields), async () => {
      const { runs, problems } = await validated(manifestOf(cursor(fields)))
      assert.deepEqual([runs, problems], [[false], [`error ${problem}`]])
    })
  }

  for (const fields of [
    { step: 'P1M', cursor_granularity: 'PT1S', lookback_window: 'P3DT12H' },
    { step: '', cursor_granularity: '', lookback_window: '' },
    { lookback_window: 'P0D' },
    { lookback_window: "P{{ config['days'] }}D" },
    { lookback_window: '{{ config.back }}' },
    { datetime_format: '%s', start_datetime: '1704067200' },
    {
      start_datetime: date({
        datetime: '2024/01/01',
        datetime_format: '%Y/%m/%d',
        max_datetime: "{{ day_delta(-1, '%Y/%m/%d') }}",
      }),
    },
    { end_datetime: "{{ now_utc().strftime('%Y-%m-%d') }}" },
    { datetime_format: '%s000', cursor_datetime_formats: ['%ms'], start_datetime: '{{ config.start }}' },
    ...['%d/%m/%y %I:%M %p', '%Y%j', '%G-W%V-%u', '%Y%m%dT%H', '%Y-%m', '%c'].map((datetime_format) => ({
      datetime_format,
      start_datetime: '{{ config.start }}',
    })),
    { datetime_format: '%-m/%-d/%Y', cursor_datetime_formats: ['%m/%d/%Y'], start_datetime: '{{ config.start }}' },
  ]) {
    test(`fine: ${JSON.stringify(fields)}`, async () => {
      assert.deepEqual(await validated(manifestOf(cursor(fields))), clean)
    })
  }

  test('a format that leaves out a part in the middle', async () => {
    const fields = { datetime_format: '%Y-%m-%d %I:%M:%S', start_datetime: '{{ config.start }}' }
    const { messages } = await validated(manifestOf(cursor(fields)))
    assert.deepEqual(messages, [
      '`datetime_format` `%Y-%m-%d %I:%M:%S` leaves out `%p`, which tells morning from afternoon: what it writes, such as `2024-11-22 01:14:15`, is read again as another date.',
    ])
  })

  test('a format of records that cannot be read is left to the next one', async () => {
    const fields = { cursor_datetime_formats: ['%Y-%m-%dT%H:%M:%S%:z', '%Y-%m-%dT%H:%M:%S%z'] }
    const { runs, problems, messages } = await validated(manifestOf(cursor(fields)))
    assert.deepEqual([runs, problems], [[true], [`warning manifest/invalid-value ${sync}/cursor_datetime_formats/0`]])
    assert.deepEqual(messages, [
      'No date can be read in the format `%Y-%m-%dT%H:%M:%S%:z`: `%:` is not a code for reading dates.',
    ])
  })

  test('the budget of the source counts for every stream', async () => {
    const rates = [{ limit: 10, interval: 'PT1X' }]
    const api_budget = {
      type: 'HTTPAPIBudget',
      policies: [{ type: 'MovingWindowCallRatePolicy', matchers: [], rates }],
    }
    const { runs, problems } = await validated({ ...manifestOf(), api_budget })
    assert.deepEqual(
      [runs, problems],
      [[false], ['error plan/invalid-duration /api_budget/policies/0/rates/0/interval']],
    )
  })
})

describe('names that the place does not offer', () => {
  const requester = `${at}/retriever/requester`
  for (const [parts, pointer] of [
    [{ requester: { path: '/{{ confg.shop }}' } }, `${requester}/path`],
    [{ requester: { request_parameters: { since: '{{ record.at }}' } } }, `${requester}/request_parameters/since`],
    [{ requester: { request_headers: { a: "{{ nowutc().strftime('%Y') }}" } } }, `${requester}/request_headers/a`],
    [{ requester: { request_body_json: { a: [{ b: '{{ response.x }}' }] } } }, `${requester}/request_body_json/a/0/b`],
    [
      { requester: { request_parameters: { since: '{{ stream_state.at }}' } } },
      `${requester}/request_parameters/since`,
    ],
    [{ requester: { request_parameters: { a: '{{ 1 if config.x else foo }}' } } }, `${requester}/request_parameters/a`],
    [
      { paginator: cursorPaginator('{{ reponse.next }}') },
      `${at}/retriever/paginator/pagination_strategy/cursor_value`,
    ],
    [
      { paginator: cursorPaginator('{{ response.next }}', '{{ next_page_token }}') },
      `${at}/retriever/paginator/pagination_strategy/stop_condition`,
    ],
    [
      { selector: { record_filter: { type: 'RecordFilter', condition: '{{ rec.id }}' } } },
      `${at}/retriever/record_selector/record_filter/condition`,
    ],
    [
      { stream: { transformations: [{ type: 'AddFields', fields: [{ path: ['a'], value: '{{ row.id }}' }] }] } },
      `${at}/transformations/0/fields/0/value`,
    ],
  ] as const) {
    test(pointer, async () => {
      const { runs, problems } = await validated(manifestOf(parts))
      assert.deepEqual([runs, problems], [[false], [`error template/unknown-name ${pointer}`]])
    })
  }

  test('names that are there are fine', async () => {
    const parent = streamOf({ name: 'shops' })
    const router = {
      type: 'SubstreamPartitionRouter',
      parent_stream_configs: [
        { stream: parent, parent_key: 'id', partition_field: 'shop', extra_fields: [['region']] },
      ],
    }
    const parts: StreamParts = {
      requester: {
        path: '/{{ region }}/{{ stream_partition.shop }}/{{ stream_interval.get("start_time") }}/{{ parameters.x }}',
        request_parameters: { page: "{{ next_page_token['next_page_token'] or 1 }}" },
      },
      retriever: { partition_router: router },
      selector: {
        record_filter: { type: 'RecordFilter', condition: '{{ record.id > stream_slice.shop and config.on }}' },
      },
      paginator: cursorPaginator(
        '{% set next = response.next %}{{ next or last_records[-1].id }}',
        "{{ last_page_size < 5 or not last_record or 'next' not in headers['link'] }}",
      ),
    }
    assert.deepEqual(await validated(manifestOf(parts)), clean)
  })
})

describe('schema files', () => {
  const normalized = { schema_normalization: 'Default' }
  const parts = (schema_loader: object, selector = {}): StreamParts => ({ stream: { schema_loader }, selector })
  const file = (file_path?: string, selector = {}) =>
    manifestOf(parts({ type: 'JsonFileSchemaLoader', ...(file_path && { file_path }) }, selector))

  test('one that is not there is an error where records must fit it, and else a warning', async () => {
    await using files = await connectorFolder({ 'schemas/items.json': '{}', 'source_shop/other.json': '{}' })
    for (const path of ['./schemas/nope.json', 'source_shop/schemas/nope.json', './schemas/{{ parameters.x }}.json']) {
      const { runs, problems, messages } = await validated(file(path), files.folder)
      assert.deepEqual([runs, problems], [[true], [`warning records/schema-file ${at}/schema_loader`]])
      assert.match(messages[0] ?? '', /^The schema .* does not exist; columns are inferred from the records\.$/)
      const needed = await validated(file(path, normalized), files.folder)
      assert.deepEqual([needed.runs, needed.problems], [[false], [`error records/schema-file ${at}/schema_loader`]])
    }
    assert.deepEqual(await validated(file('./schemas/nope.json', normalized), null), clean)
  })

  test('one that is there, or whose name the config decides, is fine', async () => {
    await using files = await connectorFolder({ 'schemas/items.json': '{}', 'schemas/deep/a.json': '{}' })
    const paths = [
      undefined,
      './schemas/items.json',
      'schemas/deep/a.json',
      'source_shop/schemas/items.json',
      './{{ config.x }}.json',
    ]
    for (const path of paths) assert.deepEqual(await validated(file(path, normalized), files.folder), clean)
    assert.deepEqual(await validated(manifestOf(), files.folder), clean)
  })
})

describe('`next_page_token` itself is sent', () => {
  const placed = (value: string) =>
    manifestOf({
      requester: { request_parameters: { page: value } },
      paginator: offsetPaginator({ page_size: 2 }, { page_token_option: undefined }),
    })
  for (const value of [
    '{{ next_page_token }}',
    '{{ next_page_token or 0 }}',
    '{{ next_page_token if next_page_token else 1 }}',
    "p-{{ next_page_token | default('') }}",
    "{{ 'p' ~ next_page_token }}",
    '{% if next_page_token %}{{ next_page_token }}{% endif %}',
  ]) {
    test(`${value} is a warning with the right spelling`, async () => {
      const { runs, problems, hints } = await validated(placed(value))
      const pointer = `${at}/retriever/requester/request_parameters/page`
      assert.deepEqual([runs, problems], [[true], [`warning template/whole-page-token ${pointer}`]])
      assert.match(hints[0] ?? '', /next_page_token\['next_page_token'\]/)
    })
  }
  for (const value of [
    "{{ next_page_token['next_page_token'] }}",
    '{{ next_page_token.next_page_token if next_page_token else 0 }}',
    "{{ (next_page_token or {}).get('next_page_token', 0) }}",
    '{{ 1 if next_page_token is none else 2 }}',
    '{{ "" if not next_page_token }}',
    '{{ next_page_token.values() | first }}',
  ]) {
    test(`${value} is fine`, async () => assert.deepEqual(await validated(placed(value)), clean))
  }
})

describe('a pagination strategy of the connector’s own', () => {
  const strategy = (class_name: string) =>
    manifestOf({ paginator: { pagination_strategy: { type: 'CustomPaginationStrategy', class_name } } })
  const source = `
    import { PaginationStrategy } from 'turnleaf'
    export class Without extends PaginationStrategy { next() { return null } }
    export class Method extends PaginationStrategy { nextPageToken() { return null } }
    export class Field extends PaginationStrategy { nextPageToken = () => null }
    export class Inherited extends Field {}
    export class Base {}
  `
  const pointer = `${at}/retriever/paginator/pagination_strategy/class_name`

  for (const [name, code] of [
    ['source_shop.paging.Without', 'plan/class-incomplete'],
    ['source_shop.paging.Base', 'plan/class-wrong-base'],
    ['MyStrategy', 'plan/class-name-form'],
    ['paging.MyStrategy', 'plan/class-name-form'],
    ['source_shop/paging.Method', 'plan/class-name-form'],
  ] as const) {
    test(`${name} is refused by validate, and before any request`, async () => {
      await using files = await connectorFolder({ 'source_shop/paging.js': source })
      const { runs, problems } = await validated(strategy(name), files.folder)
      assert.deepEqual([runs, problems], [[false], [`error ${code} ${pointer}`]])

      await using api = await serveApi({ '*': () => ({ json: { data: [] } }) })
      const text = JSON.stringify(strategy(name)).replace('https://api.test', api.url)
      const pages = readPages(loadManifest(text, { folder: files.folder }), { config: {} })
      await assert.rejects(() => pages.next(), { code })
      assert.deepEqual(api.asked, [])
    })
  }
  for (const name of ['Method', 'Field', 'Inherited']) {
    test(`${name} is fine`, async () => {
      await using files = await connectorFolder({ 'source_shop/paging.js': source })
      assert.deepEqual(await validated(strategy(`source_shop.paging.${name}`), files.folder), clean)
    })
  }
  test('one that is not written yet is no error', async () => {
    await using files = await connectorFolder({})
    const { runs, problems } = await validated(strategy('source_shop.paging.Later'), files.folder)
    assert.deepEqual([runs, problems], [[false], []])
  })
})

test('`inject_into: path` is answered with the component that does it', () => {
  const paginator = {
    ...cursorPaginator('{{ response.next }}'),
    page_token_option: { type: 'RequestOption', inject_into: 'path', field_name: 'x' },
  }
  const [problem] = checkManifest(sourceOf([streamOf({ paginator })])).problems
  assert.equal(problem?.code, 'manifest/invalid-value')
  assert.match(problem?.hint ?? '', /`page_token_option: \{ type: RequestPath \}`/)
})
