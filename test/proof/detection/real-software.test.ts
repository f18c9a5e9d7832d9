/**
 * Servers as known software is: each with a few numbers of records. What is called shown reads all of them, or nothing is.
 * In addition to many records, `npm test` tries each with one of four small numbers; `npm run test:proof` with all.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadManifest, readRecords } from '../../../src/index.ts'
import { detect } from '../../../src/proof/detection/detect.ts'
import type { Detection, DetectionRequest } from '../../../src/proof/detection/detection.ts'
import { firstSeed, isWhole } from '../../helpers/proof.ts'
import { type Answer, type AskedRequest, type ServedApi, serveApi } from '../../helpers/serve-api.ts'

type Row = { readonly id: number | string; readonly name: string }

type Asked = { readonly query: URLSearchParams; readonly request: AskedRequest; readonly self: string }

type Software = {
  readonly name: string
  /** Records on a page that nothing was said about. */
  readonly page: number
  readonly path?: string
  readonly request?: Omit<DetectionRequest, 'url'>
  readonly id?: (index: number) => number | string
  readonly idOf?: (record: Record<string, unknown>) => unknown
  readonly answer: (rows: readonly Row[], asked: Asked) => Answer
}

const number = (value: unknown, otherwise: number) =>
  value === null || value === undefined ? otherwise : Number(value)

const refused = (json: unknown, status = 400): Answer => ({ status, json })

const tokenOf = (at: number) => Buffer.from(`at:${at}`).toString('base64url')
const placeOf = (token: unknown) =>
  typeof token === 'string' ? Number(/^at:(\d+)$/.exec(Buffer.from(token, 'base64url').toString())?.[1]) : 0

const cut = (rows: readonly Row[], start: number, size: number) => rows.slice(start, start + size)

const stranger = (given: Iterable<string>, ...known: readonly string[]) =>
  [...given].find((name) => !known.includes(name))

type Body = Readonly<Record<string, unknown>>
const bodyOf = ({ request }: Asked) => JSON.parse(request.body) as Body

/** `to`: where the token of the last page leads. */
const looping =
  (most: number, next: (at: number, size: number, total: number) => number): Software['answer'] =>
  (rows, { query }) => {
    const size = Math.min(most, number(query.get('limit'), 20))
    const at = placeOf(query.get('cursor'))
    if (Number.isNaN(at)) return refused({ error: 'bad cursor' })
    const to = at + size < rows.length ? at + size : next(at, size, rows.length)
    return { json: { data: cut(rows, at, size), next_cursor: tokenOf(to) } }
  }

/** Every name that is not known is taken for a column: refused, or nothing is equal to it. */
const filtering =
  (mover: string, size: string, isSilent: boolean): Software['answer'] =>
  (rows, { query }) => {
    const other = stranger(query.keys(), mover, size)
    if (other !== undefined)
      return isSilent ? { json: [] } : refused({ code: '42703', message: `column orders.${other} does not exist` })
    const count = Math.min(100, number(query.get(size), 20))
    const start = /page/.test(mover) ? (number(query.get(mover), 1) - 1) * count : number(query.get(mover), 0)
    return { json: cut(rows, start, count) }
  }

const oneOf = (says: string, sizes: readonly number[], isRequired: boolean): Software['answer'] => {
  return (rows, { query }) => {
    const size = number(query.get('limit'), isRequired ? Number.NaN : 25)
    if (!sizes.includes(size)) return refused({ error: says })
    return { json: { data: cut(rows, number(query.get('offset'), 0), size) } }
  }
}

const softwares: readonly Software[] = [
  {
    name: 'Elasticsearch, without from and size',
    page: 10,
    path: '/orders/_search',
    request: { json: { query: { match_all: {} } } },
    idOf: ({ _id }) => Number(_id),
    answer(rows, asked) {
      const { from = 0, size = 10, ...rest } = bodyOf(asked) as { from?: number; size?: number }
      const other = stranger(Object.keys(rest), 'query', 'sort')
      if (other !== undefined) return refused({ error: { reason: `Unknown key for a VALUE_NUMBER in [${other}].` } })
      const inQuery = stranger(asked.query.keys())
      if (inQuery !== undefined)
        return refused({ error: { reason: `request contains unrecognized parameter: [${inQuery}]` } })
      const hits = cut(rows, from, size).map((row) => ({ _index: 'orders', _id: String(row.id), _source: row }))
      return { json: { took: 2, hits: { total: { value: rows.length, relation: 'eq' }, hits } } }
    },
  },
  {
    name: 'Notion',
    page: 100,
    request: { json: { filter: { a: 1 } } },
    answer(rows, asked) {
      const { start_cursor: token, page_size: size = 100, ...rest } = bodyOf(asked)
      const other = stranger(Object.keys(rest), 'filter')
      if (other !== undefined)
        return refused({ message: `body failed validation: body.${other} should be not present, instead was \`1\`.` })
      if (Number(size) > 100) return refused({ message: 'body.page_size should be ≤ `100`.' })
      const [at, count] = [placeOf(token), Number(size)]
      const hasMore = at + count < rows.length
      const next = hasMore ? tokenOf(at + count) : null
      return { json: { object: 'list', results: cut(rows, at, count), next_cursor: next, has_more: hasMore } }
    },
  },
  {
    name: 'CouchDB _all_docs',
    page: 100,
    path: '/db/_all_docs',
    answer(rows, { query }) {
      const [skip, limit] = [number(query.get('skip'), 0), number(query.get('limit'), 100)]
      if (query.has('start_key') || query.has('startkey')) return refused({ error: 'bad_request' })
      return { json: { total_rows: rows.length, offset: skip, rows: cut(rows, skip, limit) } }
    },
  },
  {
    name: 'CouchDB _find, whose last bookmark leads to the first page',
    page: 25,
    path: '/db/_find',
    request: { json: { selector: { a: 1 } } },
    answer(rows, asked) {
      const { limit = 25, bookmark = 'nil', ...rest } = bodyOf(asked)
      const other = stranger(Object.keys(rest), 'selector', 'skip')
      if (other !== undefined)
        return refused({ error: 'invalid_key', reason: `Invalid key ${other} for this request.` })
      const at = (bookmark === 'nil' ? 0 : placeOf(bookmark)) + Number(rest.skip ?? 0)
      const docs = cut(rows, at, Number(limit))
      return { json: { docs, bookmark: docs.length === 0 ? 'nil' : tokenOf(at + docs.length) } }
    },
  },
  {
    name: 'ArcGIS',
    page: 50,
    path: '/arcgis/rest/services/a/FeatureServer/0/query?where=1%3D1&f=json',
    idOf: ({ attributes }) => (attributes as { OBJECTID: number }).OBJECTID,
    answer(rows, { query }) {
      const start = number(query.get('resultOffset'), 0)
      const size = Math.min(50, number(query.get('resultRecordCount'), 50))
      const features = cut(rows, start, size).map(({ id, name }) => ({ attributes: { OBJECTID: id, NAME: name } }))
      const fields = [{ name: 'OBJECTID', type: 'esriFieldTypeOID' }]
      const more = start + size < rows.length && { exceededTransferLimit: true }
      return { json: { objectIdFieldName: 'OBJECTID', fields, ...more, features } }
    },
  },
  {
    name: 'Strapi',
    page: 25,
    answer(rows, { query }) {
      const size = Math.min(100, number(query.get('pagination[pageSize]'), 25))
      const page = number(query.get('pagination[page]'), 1)
      const pageCount = Math.ceil(rows.length / size)
      const pagination = { page, pageSize: size, pageCount, total: rows.length }
      return { json: { data: cut(rows, (page - 1) * size, size), meta: { pagination } } }
    },
  },
  {
    name: 'Socrata',
    page: 100,
    path: '/resource/abcd-1234.json',
    answer(rows, { query }) {
      const other = stranger(query.keys(), '$limit', '$offset')
      if (other !== undefined) return refused({ message: `query.soql.no-such-column; No such column: ${other}` })
      return { json: cut(rows, number(query.get('$offset'), 0), number(query.get('$limit'), 100)) }
    },
  },
  {
    name: 'Discord, the newest first, before the id of the last',
    page: 50,
    id: (index) => String(1_160_000_000_000_000_000n - BigInt(index) * 4_194_304n),
    answer(rows, { query }) {
      const size = number(query.get('limit'), 50)
      if (size > 100) return refused({ code: 50_035, message: 'Invalid Form Body' })
      const [before, after] = [query.get('before'), query.get('after')]
      const older = rows.filter(({ id }) => before === null || BigInt(id) < BigInt(before))
      if (after === null) return { json: cut(older, 0, size) }
      return { json: rows.filter(({ id }) => BigInt(id) > BigInt(after)).slice(-size) }
    },
  },
  {
    name: 'Google, whose last page has neither list nor token',
    page: 20,
    answer(rows, { query }) {
      const [at, size] = [placeOf(query.get('pageToken')), Math.min(100, number(query.get('maxResults'), 20))]
      if (Number.isNaN(at)) return refused({ error: { message: 'Invalid page token.' } })
      const items = cut(rows, at, size)
      const some = items.length > 0 && { items, nextPageToken: tokenOf(at + size) }
      return { json: { kind: 'orders#orderList', ...some } }
    },
  },
  {
    name: 'a page count, and the last page again past the end',
    page: 20,
    answer(rows, { query }) {
      const pagetotal = Math.max(1, Math.ceil(rows.length / 20))
      const page = Math.min(pagetotal, Math.max(1, number(query.get('page'), 1)))
      return { json: { page, pagetotal, data: cut(rows, (page - 1) * 20, 20) } }
    },
  },
  {
    name: 'the last page again past the end, and no count',
    page: 20,
    answer(rows, { query }) {
      const page = Math.min(Math.max(1, Math.ceil(rows.length / 20)), Math.max(1, number(query.get('page'), 1)))
      return { json: { data: cut(rows, (page - 1) * 20, 20) } }
    },
  },
  {
    name: 'the first page again past the end',
    page: 20,
    answer(rows, { query }) {
      const asked = number(query.get('page'), 1)
      const page = asked >= 1 && asked <= Math.ceil(rows.length / 20) ? asked : 1
      return { json: { data: cut(rows, (page - 1) * 20, 20), total: rows.length } }
    },
  },
  { name: 'a token that leads to the last page again', page: 20, answer: looping(100, (at) => at) },
  { name: 'a token that leads to the first page again', page: 20, answer: looping(100, () => 0) },
  { name: 'such a token, far from the end', page: 20, answer: looping(20, (at) => at) },
  {
    name: 'a link to the last page again, far from the end',
    page: 20,
    answer(rows, { query, self }) {
      const at = number(query.get('offset'), 0)
      const next = `${self}?offset=${at + 20 < rows.length ? at + 20 : at}`
      return { json: { data: cut(rows, at, 20), next } }
    },
  },
  {
    name: 'a Link header to the first page again',
    page: 20,
    answer(rows, { query, self }) {
      const page = number(query.get('page'), 1)
      const next = page * 20 < rows.length ? page + 1 : 1
      return { headers: { Link: `<${self}?page=${next}>; rel="next"` }, json: cut(rows, (page - 1) * 20, 20) }
    },
  },
  ...[
    ['offset', 'limit'],
    ['_page', '_limit'],
    ['_start', '_limit'],
    ['skip', 'take'],
    ['$skip', '$top'],
  ].flatMap(([mover = '', size = '']) =>
    [true, false].map((isSilent) => ({
      name: `${mover} and ${size}, all others ${isSilent ? 'filters' : 'unknown columns'}`,
      page: 20,
      answer: filtering(mover, size, isSilent),
    })),
  ),
  {
    name: 'a size that is one of a few, which are named',
    page: 25,
    answer: oneOf('limit must be one of 10, 25, 50', [10, 25, 50], false),
  },
  {
    name: 'such a size, given and required',
    page: 25,
    path: '/orders?limit=25&offset=0',
    answer: oneOf('limit must be one of 10, 25, 50', [10, 25, 50], true),
  },
  {
    name: 'such a size, given, and none is named',
    page: 25,
    path: '/orders?limit=25',
    answer: oneOf('invalid limit', [25, 75], true),
  },
]

async function served(software: Software, count: number): Promise<{ api: ServedApi; url: string; rows: Row[] }> {
  const { path = '/orders', id = (index) => 1_001 + index } = software
  const rows = Array.from({ length: count }, (_, index) => ({ id: id(index), name: `order ${index}` }))
  let self = ''
  const api = await serveApi({ '*': (query, request) => software.answer(rows, { query, request, self }) })
  self = api.url + new URL(path, api.url).pathname
  return { api, url: api.url + path, rows }
}

async function readWith(manifest: string, { idOf }: Software): Promise<unknown[]> {
  const ids: unknown[] = []
  for await (const record of readRecords(loadManifest(manifest)))
    ids.push(idOf === undefined ? record.id : idOf(record))
  return ids
}

const detected = (url: string, request: Software['request'] = {}): Promise<Detection> =>
  detect({ url, ...request }, { spacing: 0, sleep: async () => {} })

/** Their end cannot be reached in 12 requests, so that no read with it was to the end. */
const notToTheEnd = new Set([
  'such a token, far from the end',
  'a link to the last page again, far from the end',
  'a Link header to the first page again',
])

for (const [turn, software] of softwares.entries()) {
  describe(software.name, () => {
    for (const [index, count] of [0, 1, software.page, software.page * 2].entries()) {
      if (!isWhole && (index + turn + firstSeed) % 4 !== 0) continue
      test(`${count} records: what is shown reads all of them`, async () => {
        const { api, url, rows } = await served(software, count)
        await using _ = api
        const { manifest, candidates, says } = await detected(url, software.request)
        if (manifest === null || candidates[0]?.confidence !== 'shown') return
        assert.deepEqual(
          await readWith(manifest, software),
          rows.map(({ id }) => id),
          says,
        )
      })
    }

    test('237 records', async () => {
      const { api, url, rows } = await served(software, 237)
      await using _ = api
      const { manifest, candidates, says } = await detected(url, software.request)
      assert.ok(manifest, says)
      if (notToTheEnd.has(software.name)) {
        assert.equal(candidates[0]?.confidence, 'likely')
        assert.match(candidates[0]?.evidence.join('; ') ?? '', /not checked: whether the last page names no next page/)
        await assert.rejects(readWith(manifest, software), /does not end/)
        return
      }
      assert.deepEqual(
        await readWith(manifest, software),
        rows.map(({ id }) => id),
        says,
      )
    })
  })
}

describe('every sentence is true', () => {
  const find = (name: string) => softwares.find((one) => one.name === name) ?? assert.fail(name)

  test('a page count shows the last page, though it is full', async () => {
    const software = find('a page count, and the last page again past the end')
    const { api, url, rows } = await served(software, 40)
    await using _ = api
    const { manifest, candidates, answer } = await detected(url)
    assert.equal(answer, 'paginated')
    assert.match(candidates[0]?.evidence.join('; ') ?? '', /page is then pagetotal/)
    assert.deepEqual(
      await readWith(manifest ?? '', software),
      rows.map(({ id }) => id),
    )
  })

  test('the first page is not called the last', async () => {
    const { api, url } = await served(find('the first page again past the end'), 237)
    await using _ = api
    const { candidates } = await detected(url)
    assert.match(candidates[0]?.evidence.join('; ') ?? '', /past the end the first page is returned again/)
    assert.doesNotMatch(candidates[0]?.evidence.join('; ') ?? '', /the last page is returned again/)
  })

  test('a list that is left out is not one thing', async () => {
    const { api, url } = await served(find('Google, whose last page has neither list nor token'), 0)
    await using _ = api
    const { answer, manifest } = await detected(url)
    assert.deepEqual([answer, manifest], ['cannot-tell', null])
  })
})

describe('paging values in headers, as they were given', () => {
  const rows = Array.from({ length: 237 }, (_, index) => ({ id: 1_001 + index, name: `order ${index}` }))
  const byHeader: Software = {
    name: 'headers',
    page: 20,
    answer: (all, { request: { headers } }) => ({
      json: cut(all, number(headers['x-offset'], 0), Math.min(100, number(headers['x-limit'], 20))),
    }),
  }
  for (const headers of [
    { 'X-Offset': '40', 'X-Limit': '20' },
    { 'x-offset': '0', 'x-limit': '20' },
  ]) {
    test(JSON.stringify(headers), async () => {
      const { api, url } = await served(byHeader, 237)
      await using _ = api
      const { manifest, says } = await detected(url, { headers })
      assert.ok(manifest, says)
      assert.deepEqual(
        await readWith(manifest, byHeader),
        rows.map(({ id }) => id),
      )
      for (const { headers: sent } of api.requests) assert.doesNotMatch(String(sent['x-offset'] ?? ''), /,/)
    })
  }
})
