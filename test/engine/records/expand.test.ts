/** Records that are the items of lists inside what the API sends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, planStream, readPages, readRecords } from '../../../src/index.ts'
import { selectRecords } from '../../../src/engine/records/select.ts'
import { collect } from '../../helpers/collect.ts'
import { cursorPaginator, manifestOf, offsetPaginator, type StreamParts } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'

const expander = (path: string[], more: object = {}): StreamParts => ({
  selector: {
    extractor: {
      type: 'DpathExtractor',
      field_path: ['data'],
      record_expander: { type: 'RecordExpander', expand_records_from_field: path, ...more },
    },
  },
})

function select(parts: StreamParts, data: unknown, config: Record<string, unknown> = {}) {
  return selectRecords({
    stream: planStream(loadManifest(manifestOf(parts)), 'items', config),
    config,
    slice: { partition: {}, window: {} },
    decoded: { value: { data }, hasFloats: false },
    isWanted: null,
    tools: { instances: new Map(), schema: null, onMisfit: () => {} },
  })
}
const original = { remain_original_record: true }

/** Expected results are what Airbyte's own class (CDK 7.28.2) gives. */
const rows: [name: string, parts: StreamParts, sent: unknown, expected: unknown[]][] = [
  [
    'items of a list',
    expander(['lines']),
    [{ lines: [{ a: 1 }, { a: 2 }] }, { lines: [{ a: 3 }] }],
    [1, 2, 3].map(lineOf),
  ],
  ['deeper', expander(['x', 'lines']), [{ x: { lines: [{ a: 1 }] } }], [{ a: 1 }]],
  [
    'lists in a list',
    expander(['s', '*', 'l']),
    [{ s: [{ l: [{ a: 1 }] }, { l: [{ a: 2 }] }, {}] }],
    [1, 2].map(lineOf),
  ],
  ['no list, nothing', expander(['lines']), [{ id: 1 }, { lines: 'x' }, { lines: { a: 1 } }, { lines: [] }], []],
  ['what holds nothing, kept', expander(['lines'], { on_no_records: 'emit_parent' }), [{ id: 1 }], [{ id: 1 }]],
  [
    'what holds items is not kept',
    expander(['lines'], { on_no_records: 'emit_parent' }),
    [{ lines: [{ a: 1 }] }],
    [{ a: 1 }],
  ],
  [
    'with values of what they were found in',
    expander(['lines', 'data'], {
      parent_fields: [
        { parent_path: ['meta', 'u'], record_path: ['parent', 'url'] },
        { parent_path: ['id'], record_path: ['id'] },
        { parent_path: ['nope', 'where'], record_path: ['n'] },
      ],
    }),
    [{ id: 1, meta: { u: 'U' }, lines: { data: [{ a: 1, id: 9 }, 'x'] } }],
    [
      { a: 1, id: 1, parent: { url: 'U' }, n: null },
      { value: 'x', id: 1, parent: { url: 'U' }, n: null },
    ],
  ],
  [
    'over the members of what they were found in',
    expander(['lines', 'data'], { merge_parent: true }),
    [{ id: 1, b: 2, lines: { data: [{ a: 1, id: 9 }, 'x'], total: 2 } }],
    [
      { id: 9, b: 2, lines: { total: 2 }, a: 1 },
      { id: 1, b: 2, lines: { total: 2 }, value: 'x' },
    ],
  ],
  [
    'over members that lead through several lists',
    expander(['s', '*', 'l'], { merge_parent: true }),
    [
      {
        s: [
          { l: [{ a: 1 }], k: 1 },
          { l: 'no', k: 2 },
        ],
      },
    ],
    [{ s: [{ k: 1 }, { l: 'no', k: 2 }], a: 1 }],
  ],
  [
    'with what they were found in',
    expander(['lines'], original),
    [{ id: 1, lines: [{ a: 1 }, 'x'] }],
    [
      { a: 1, original_record: { id: 1, lines: [{ a: 1 }, 'x'] } },
      { value: 'x', original_record: { id: 1, lines: [{ a: 1 }, 'x'] } },
    ],
  ],
  ['an empty path', expander([]), [{ id: 1 }], [{ id: 1 }]],
  ['one object', expander(['lines']), { lines: [{ a: 1 }] }, [{ a: 1 }]],
  ['a name of the prototype', expander(['constructor']), [{ id: 1 }], []],
]
function lineOf(value: number) {
  return { a: value }
}
for (const [name, parts, sent, expected] of rows) {
  test(`RecordExpander: ${name}`, () => assert.deepEqual(select(parts, sent).records, expected))
}

test('the path is made of templates', () => {
  const { records } = select(expander(['{{ config.field }}']), [{ lines: [{ a: 1 }] }], { field: 'lines' })
  assert.deepEqual(records, [{ a: 1 }])
})

test('a string in the list is no record, and the error says where it was', () => {
  assert.throws(() => select(expander(['lines']), [{ lines: ['x'] }]), {
    code: 'records/not-an-object',
    message: /data\.lines/,
  })
})

test('a value that an item has no place for is an error', () => {
  const parent_fields = [{ parent_path: ['id'], record_path: ['a', 'id'] }]
  assert.throws(() => select(expander(['lines'], { parent_fields }), [{ id: 1, lines: [{ a: 1 }] }]), {
    code: 'records/no-place',
    message: /`a\.id`: `a` holds/,
  })
})

test('what is counted is what the API sent', () => {
  assert.equal(select(expander(['lines']), [{ lines: [{ a: 1 }, { a: 2 }] }, {}]).receivedCount, 2)
  assert.equal(select(expander(['lines']), [{}, {}, {}]).receivedCount, 3)
})

test('pages that expand to few records, or to none, do not end the read', async () => {
  const pages = [[{ id: 1 }, { id: 2 }], [{ id: 3, lines: [{ a: 3 }] }, { id: 4 }], [{ id: 5, lines: [{ a: 5 }] }]]
  await using api = await serveApi({
    'GET /items': (query) => ({ json: { data: pages[Number(query.get('offset') ?? 0) / 2] } }),
  })
  const manifest = loadManifest(
    manifestOf({ url: api.url, ...expander(['lines']), paginator: offsetPaginator({ page_size: 2 }) }),
  )
  assert.deepEqual(await collect(readRecords(manifest, { prefetch: 'off' })), [{ a: 3 }, { a: 5 }])
  assert.equal(api.asked.length, 3)
})

test('a cursor is read from the last thing sent, also where that became no record', async () => {
  const pages: Record<string, object[]> = {
    '': [
      { id: 1, lines: [{ a: 1 }] },
      { id: 2, lines: [] },
    ],
    2: [{ id: 3 }],
    3: [{ id: 4, lines: [{ a: 4 }] }],
    4: [],
  }
  await using api = await serveApi({ 'GET /items': (query) => ({ json: { data: pages[query.get('cursor') ?? ''] } }) })
  const paginator = cursorPaginator('{{ last_record.original_record.id }}', '{{ not response.data }}')
  const manifest = loadManifest(manifestOf({ url: api.url, ...expander(['lines'], original), paginator }))
  const read = await collect(readPages(manifest))
  assert.deepEqual(
    read.flatMap(({ records }) => records.map(({ a }) => a)),
    [1, 4],
  )
  assert.deepEqual(
    read.map(({ receivedCount }) => receivedCount),
    [2, 1, 1, 0],
  )
})

/** An invoice whose list of lines is cut short, and one whose list is whole. */
const invoices = [
  { id: 'i1', url: 'u1', lines: { has_more: true, total_count: 3, data: [{ a: 1 }] } },
  { id: 'i2', url: 'u2', lines: { has_more: false, total_count: 1, data: [{ a: 9 }] } },
]
const cutShort = { truncation_indicator_path: ['lines', 'has_more'] }

function wholeList(url: string): object {
  return {
    type: 'SimpleRetriever',
    requester: { type: 'HttpRequester', url_base: url, path: "/invoices/{{ stream_slice['parent_record']['id'] }}" },
    record_selector: { type: 'RecordSelector', extractor: { type: 'DpathExtractor', field_path: ['data'] } },
    paginator: { type: 'DefaultPaginator', ...cursorPaginator('{{ last_record.a }}', '{{ not response.more }}') },
  }
}

async function readInvoices(url: string, more: object) {
  const read = await collect(readPages(loadManifest(manifestOf({ url, ...expander(['lines', 'data'], more) }))))
  const stream = read.at(-1)?.receipt?.stream
  return { records: read.flatMap(({ records }) => records), verdict: `${stream?.verdict}: ${stream?.reason}` }
}

test('a list that the API says is cut short is read as a whole, and its items carry the same', async () => {
  await using api = await serveApi({
    'GET /items': () => ({ json: { data: invoices } }),
    'GET /invoices/i1': (query) => ({
      json: query.has('cursor') ? { data: [{ a: 3 }], more: false } : { data: [{ a: 1 }, { a: 2 }], more: true },
    }),
  })
  const parent_fields = [{ parent_path: ['url'], record_path: ['url'] }]
  const { records, verdict } = await readInvoices(api.url, {
    ...cutShort,
    truncated_list_retriever: wholeList(api.url),
    parent_fields,
  })
  // What Airbyte (CDK 7.39.1) reads.
  assert.deepEqual(records, [
    { a: 1, url: 'u1' },
    { a: 2, url: 'u1' },
    { a: 3, url: 'u1' },
    { a: 9, url: 'u2' },
  ])
  assert.deepEqual(api.asked, ['GET /items', 'GET /invoices/i1', 'GET /invoices/i1?cursor=2'])
  assert.doesNotMatch(verdict, /^incomplete/)
})

const shortLists: [name: string, lines: object[] | null][] = [
  ['cannot be read', null],
  ['is empty when it is read', []],
  ['is shorter than its total', [{ a: 1 }, { a: 2 }]],
]
for (const [name, lines] of shortLists) {
  test(`a list that is cut short and ${name} makes the read incomplete`, async () => {
    await using api = await serveApi({
      'GET /items': () => ({ json: { data: invoices } }),
      'GET /invoices/i1': () => ({ json: { data: lines } }),
    })
    const retriever = lines === null ? {} : { truncated_list_retriever: wholeList(api.url) }
    const { records, verdict } = await readInvoices(api.url, { ...cutShort, ...retriever })
    assert.deepEqual(records, [...(lines?.length ? lines : [{ a: 1 }]), { a: 9 }])
    assert.equal(verdict, 'incomplete: page 1 has 1 list of items that the API says is cut short')
  })
}

for (const [isCut, expected] of [
  [true, /^incomplete: page 1 has 1 list of items that the API says is cut short$/],
  [false, /^unproven/],
] as const) {
  test(`properties in groups: a list ${isCut ? 'that is cut short makes the read incomplete' : 'that is whole is no alarm'}`, async () => {
    const lines = { has_more: isCut, data: [{ id: 1, a: 1 }] }
    await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 'i1', lines }] } }) })
    const query_properties = {
      type: 'QueryProperties',
      property_list: ['a', 'b'],
      property_chunking: {
        type: 'PropertyChunking',
        property_limit_type: 'property_count',
        property_limit: 1,
        record_merge_strategy: { type: 'GroupByKeyMergeStrategy', key: ['id'] },
      },
    }
    const requester = { request_parameters: { fields: query_properties } }
    const parts = { url: api.url, requester, ...expander(['lines', 'data'], cutShort) }
    const stream = (await collect(readPages(loadManifest(manifestOf(parts))))).at(-1)?.receipt?.stream
    assert.deepEqual(api.asked, ['GET /items?fields=a', 'GET /items?fields=b'])
    assert.match(`${stream?.verdict}: ${stream?.reason}`, expected)
  })
}

test('a retriever of whole lists needs the field that says which are cut short', () => {
  const parts = expander(['lines'], { truncated_list_retriever: wholeList('http://127.0.0.1') })
  assert.throws(() => select(parts, []), { code: 'manifest/missing-field', message: /truncation_indicator_path/ })
})
