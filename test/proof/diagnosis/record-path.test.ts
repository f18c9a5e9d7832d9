/** Records that are read in the wrong place: the right path is found, also where the response itself was taken for a record. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, readRecords } from '../../../src/index.ts'
import { diagnoseAndFix } from '../../../src/proof/diagnosis/diagnose-and-fix.ts'
import { cursorPaginator, manifestOf, offsetPaginator, option } from '../../helpers/manifests.ts'
import { type Handler, serveApi } from '../../helpers/serve-api.ts'
import { diagnoseServed, keyed, records } from './served.ts'

const rows = records(237)

/** `{ hits: [50], total: 237, next_cursor }` */
const hits: Handler = (query) => {
  const start = Number(query.get('cursor') ?? 0)
  const next = start + 50 < rows.length ? start + 50 : null
  return { json: { hits: rows.slice(start, start + 50), total: 237, next_cursor: next } }
}

const edges: Handler = (query) => {
  const start = Number(query.get('cursor') ?? 0)
  const hasNextPage = start + 50 < rows.length
  const list = rows.slice(start, start + 50).map((node) => ({ node, cursor: String(node.id) }))
  return {
    json: { data: { items: { edges: list, totalCount: 237, pageInfo: { hasNextPage, endCursor: start + 50 } } } },
  }
}

/** A response that has an id itself. */
const named: Handler = (query, request) => {
  const answer = hits(query, request) as { json: object }
  return { json: { id: 'search-7', ...answer.json } }
}

const ends = cursorPaginator('{{ response.next_cursor }}')

const cases: readonly [
  what: string,
  answer: Handler,
  path: string[],
  right: string[],
  paginator?: Record<string, unknown>,
][] = [
  ['an empty path, without pagination', hits, [], ['hits']],
  ['an empty path, with a cursor', hits, [], ['hits'], ends],
  ['an empty path, with an offset', hits, [], ['hits'], offsetPaginator({ page_size: 50 })],
  ['an empty path, and a response with an id', named, [], ['hits'], ends],
  ['a misspelt path', hits, ['hit'], ['hits'], ends],
  ['a path that ends too early', edges, ['data'], ['data', 'items', 'edges', '*', 'node']],
  ['edges without their nodes', edges, ['data', 'items', 'edges', '*', 'nod'], ['data', 'items', 'edges', '*', 'node']],
  [
    'edges that are not there',
    edges,
    ['data', 'things', 'edges', '*', 'node'],
    ['data', 'items', 'edges', '*', 'node'],
  ],
  ['nodes that are not there', edges, ['data', 'items', 'nodes'], ['data', 'items', 'edges', '*', 'node']],
]

for (const [what, answer, fieldPath, right, paginator] of cases) {
  test(`${what}: the right path is the first finding`, async () => {
    const parts = { fieldPath, ...keyed, ...(paginator && { paginator }) }
    const { findings } = await diagnoseServed(answer, parts)
    assert.deepEqual(
      findings.map(({ code, fix }) => [code, fix?.edits[0]?.value, fix?.retest !== null]),
      [['missing/record-path', right, true]],
    )
  })
}

for (const [what, answer, fieldPath, , paginator] of cases) {
  test(`${what}: with every fix, all records are read`, async () => {
    await using api = await serveApi({ 'GET /items': answer })
    const parts = { fieldPath, ...keyed, ...(paginator && { paginator }), url: api.url }
    const { text, applied } = await diagnoseAndFix(JSON.stringify(manifestOf(parts)), { sleep: async () => {} })
    assert.equal(applied[0]?.code, 'missing/record-path')
    const ids = new Set<unknown>()
    for await (const { id } of readRecords(loadManifest(text))) ids.add(id)
    assert.equal(ids.size, 237)
  })
}

test('a response that reports nothing but its list is an envelope', async () => {
  for (const [json, right] of [
    [{ data: records(9) }, ['data']],
    [{ status: 'ok', data: records(9) }, ['data']],
    [{ success: true, request_id: 'r-7', result: { items: records(9) }, meta: { took: 9 } }, ['result', 'items']],
    [{ users: records(2), errors: [] }, ['users']],
  ] as const) {
    const { findings } = await diagnoseServed(() => ({ json }), { fieldPath: [] })
    assert.deepEqual(
      findings.map(({ code, fix }) => [code, fix?.edits[0]?.value]),
      [['missing/record-path', right]],
      JSON.stringify(json),
    )
  }
})

test('one thing with lists inside it, and a list of things, are records as they are', async () => {
  const invoice = { id: 7, total: 30, currency: 'EUR', lines: records(3) }
  const report = { name: 'sales', rows: records(20), generated_at: '2026-01-01' }
  for (const json of [
    invoice,
    report,
    { ...report, rows: [] },
    [invoice],
    { settings: { theme: 'dark' }, roles: records(2) },
    { status: 'open', items: records(2) },
    { user: { name: 'Ada', roles: records(2) } },
  ]) {
    const { findings } = await diagnoseServed(() => ({ json }), { fieldPath: [] })
    assert.deepEqual(findings, [], JSON.stringify(json))
  }
})

test('an empty list where the manifest looks, and a total of nothing, is an empty stream', async () => {
  const { findings } = await diagnoseServed(
    () => ({ json: { data: [], total: 0, columns: [{ name: 'id' }, { name: 'day' }] } }),
    { ...keyed },
  )
  assert.deepEqual(findings, [])
})

test('a response that changes its shape once it is paged never becomes a record itself', async () => {
  // Without `page` a bare list, with it an envelope.
  const all = records(100)
  const answer: Handler = (query) => {
    const page = query.get('page')
    const headers = { 'x-total-count': '100' }
    if (page === null) return { json: all.slice(0, 50), headers }
    return { json: { items: all.slice((Number(page) - 1) * 50, Number(page) * 50) }, headers }
  }
  const paginator = {
    pagination_strategy: { type: 'PageIncrement', start_from_page: 1, page_size: 50 },
    page_token_option: option('request_parameter', 'page'),
  }
  await using api = await serveApi({ 'GET /items': answer })
  const text = JSON.stringify(manifestOf({ fieldPath: ['items'], paginator, ...keyed, url: api.url }))
  const { text: fixed, applied } = await diagnoseAndFix(text, { sleep: async () => {} })
  assert.deepEqual(
    applied.map(({ code }) => code),
    ['first-request/injection-required'],
  )
  const ids: unknown[] = []
  for await (const { id } of readRecords(loadManifest(fixed))) ids.push(id)
  assert.deepEqual(
    ids,
    all.map(({ id }) => id),
  )
})

test('CSV that is read as JSON is the fault of the manifest, and its decoder the fix', async () => {
  const csv: Handler = () => ({ headers: { 'content-type': 'text/csv' }, text: 'id,name\n1,Ada\n2,Grace\n' })
  const { findings } = await diagnoseServed(csv, { fieldPath: [], ...keyed })
  assert.deepEqual(
    findings.map(({ code, fault, fix }) => [code, fault, fix?.edits[0]?.value, fix?.retest?.isFixed]),
    [['api/not-json', 'manifest', { type: 'CsvDecoder' }, true]],
  )
})

test('XML that is read as JSON, and whose records are elsewhere, is explained without a fix', async () => {
  const xml: Handler = () => ({ headers: { 'content-type': 'text/xml' }, text: '<all><one><id>1</id></one></all>' })
  const { findings } = await diagnoseServed(xml, { fieldPath: ['data'], ...keyed })
  assert.deepEqual(
    findings.map(({ code, fault, fix, advice }) => [code, fault, fix, advice]),
    [
      [
        'api/not-json',
        'manifest',
        null,
        'Add `decoder: { type: XmlDecoder }` to the retriever, and check `field_path`.',
      ],
    ],
  )
})
