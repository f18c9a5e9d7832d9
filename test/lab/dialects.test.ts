/** Every dialect, read to its end by a loop that knows only the dialect's documentation. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { dialects } from '../../src/lab/dialects.ts'
import { type Lab, startLab } from '../../src/lab/lab.ts'

type Page = { body: unknown; headers: Headers; ids: number[] }
type Read = { size: number; pages: Page[]; last: Page | undefined; ids: number[] }
type Ask = { path: string; headers?: Record<string, string>; json?: unknown; form?: Record<string, string> }
type ReadResult = { list: string[]; ask(read: Read): Ask | null }

const limit = 10
const isOver = ({ last }: Read) => last !== undefined && last.ids.length < limit
const origin = /^http:\/\/127\.0\.0\.1:\d+/

// A size goes into the first request only where the response carries it on.
const readers: Record<string, ReadResult> = {
  '/offset': {
    list: ['data'],
    ask: (read) =>
      isOver(read) ? null : { path: `/offset?offset=${read.ids.length}&limit=${limit}&size=${read.size}` },
  },
  '/offset-header': {
    list: ['data'],
    ask: (read) => {
      const headers = { 'X-Offset': String(read.ids.length), 'X-Limit': String(limit) }
      return isOver(read) ? null : { path: `/offset-header?size=${read.size}`, headers }
    },
  },
  '/range': {
    list: ['data'],
    ask: (read) => (isOver(read) ? null : { path: `/range?range=${read.ids.length},${limit}&size=${read.size}` }),
  },
  '/page': {
    list: ['data'],
    ask: (read) =>
      isOver(read) ? null : { path: `/page?page=${read.pages.length + 1}&per_page=${limit}&size=${read.size}` },
  },
  '/page0': {
    list: ['data'],
    ask: (read) =>
      isOver(read) ? null : { path: `/page0?page=${read.pages.length}&per_page=${limit}&size=${read.size}` },
  },
  '/path/{page}': {
    list: ['data'],
    ask: (read) =>
      read.last && read.pages.length >= Number(at(read.last.body, 'total_pages'))
        ? null
        : { path: `/path/${read.pages.length + 1}?per_page=${limit}&size=${read.size}` },
  },
  '/cursor': {
    list: ['data'],
    ask: ({ last, size }) =>
      follow(last, `/cursor?limit=${limit}&size=${size}`, (page) => {
        const token = at(page.body, 'meta', 'next_token')
        return typeof token === 'string' ? { path: `/cursor?limit=${limit}&cursor=${token}` } : null
      }),
  },
  '/cursor-header': {
    list: ['data'],
    ask: ({ last, size }) =>
      follow(last, `/cursor-header?limit=${limit}&size=${size}`, (page) => {
        const token = page.headers.get('X-Next-Cursor')
        return token === null ? null : { path: `/cursor-header?limit=${limit}&cursor=${token}` }
      }),
  },
  '/link': {
    list: [],
    ask: ({ last, size }) =>
      follow(last, `/link?per_page=${limit}&size=${size}`, (page) => {
        const [, url] = /<([^>]+)>; rel="next"/.exec(page.headers.get('Link') ?? '') ?? []
        return url === undefined ? null : { path: url.replace(origin, '') }
      }),
  },
  '/next-url': {
    list: ['data'],
    ask: ({ last, size }) =>
      follow(last, `/next-url?limit=${limit}&size=${size}`, (page) => linked(at(page.body, 'links', 'next'), origin)),
  },
  '/next-path': {
    list: ['data'],
    ask: ({ last, size }) =>
      follow(last, `/next-path?limit=${limit}&size=${size}`, (page) =>
        linked(at(page.body, 'next'), /^(?=\/next-path)/),
      ),
  },
  '/odata': {
    list: ['value'],
    ask: ({ last, size }) =>
      follow(last, `/odata?$top=${limit}&size=${size}`, (page) => linked(at(page.body, '@odata.nextLink'), origin)),
  },
  '/jsonapi': {
    list: ['data'],
    ask: ({ last, size }) =>
      follow(last, `/jsonapi?page[size]=${limit}&size=${size}`, (page) =>
        linked(at(page.body, 'links', 'next'), origin),
      ),
  },
  '/after': {
    list: ['data'],
    ask: ({ last, size }) =>
      follow(last, `/after?limit=${limit}&size=${size}`, (page) =>
        at(page.body, 'has_more') === true
          ? { path: `/after?limit=${limit}&size=${size}&after=${page.ids.at(-1)}` }
          : null,
      ),
  },
  '/search': {
    list: ['results'],
    ask: ({ last, size }) => {
      const cursor = at(last?.body, 'page', 'next_cursor')
      if (last && cursor === undefined) return null
      return { path: `/search?size=${size}`, json: { page: { size: limit, ...(last && { cursor }) } } }
    },
  },
  '/form': {
    list: ['items'],
    ask: ({ last, size }) => {
      const cursor = at(last?.body, 'next_cursor')
      if (cursor === '') return null
      return { path: `/form?size=${size}`, form: { size: String(limit), ...(last && { cursor: String(cursor) }) } }
    },
  },
  '/graphql': {
    list: ['data', 'records', 'nodes'],
    ask: ({ last, size }) => {
      const pageInfo = at(last?.body, 'data', 'records', 'pageInfo')
      if (last && at(pageInfo, 'hasNextPage') !== true) return null
      const variables = { first: limit, after: last ? at(pageInfo, 'endCursor') : null }
      return { path: `/graphql?size=${size}`, json: { query: '{ records { nodes { id } } }', variables } }
    },
  },
  '/calendar': {
    list: ['events'],
    ask: ({ last, pages, size }) => {
      if (last && at(last.body, 'month') === at(last.body, 'last_month')) return null
      const month = new Date(Date.UTC(2024, pages.length)).toISOString().slice(0, 7)
      return { path: `/calendar?month=${month}&size=${size}` }
    },
  },
  '/all': { list: ['data'], ask: ({ last, size }) => (last ? null : { path: `/all?size=${size}` }) },
}

suite('every dialect gives every record once, in order', () => {
  let lab: Lab
  before(async () => {
    lab = await startLab()
  })
  after(() => lab.close())

  for (const { path } of dialects) {
    for (const size of [0, 1, limit - 1, limit, limit + 1, 3 * limit, 151]) {
      test(`${path}, ${size} records`, async () => {
        const { ids } = await readAll(lab.url, path, size)
        assert.deepEqual(
          ids,
          Array.from({ length: size }, (_, position) => position + 1),
        )
      })
    }
  }

  test('a calendar has empty months before its end', async () => {
    const { pages } = await readAll(lab.url, '/calendar', 151)
    assert.deepEqual(
      pages.map(({ ids }) => ids.length),
      [30, 0, 45, 12, 60, 3, 1],
    )
  })

  test('the Link header names the pages as GitHub does', async () => {
    assert.deepEqual(await relsOf(lab.url, 1), ['next 2', 'last 3'])
    assert.deepEqual(await relsOf(lab.url, 2), ['prev 1', 'next 3', 'last 3', 'first 1'])
    assert.deepEqual(await relsOf(lab.url, 3), ['prev 2', 'first 1'])
  })
})

/** The links of a page, each as its name and page number. */
async function relsOf(url: string, page: number): Promise<string[]> {
  const response = await fetch(`${url}/link?per_page=10&size=25&page=${page}`)
  const links = (response.headers.get('Link') ?? '').matchAll(/[?&]page=(\d+)[^>]*>; rel="(\w+)"/g)
  return [...links].map(([, number, rel]) => `${rel} ${number}`)
}

async function readAll(url: string, path: string, size: number): Promise<Read> {
  const reader = readers[path]
  assert.ok(reader, `no reader for ${path}`)
  const read: Read = { size, pages: [], last: undefined, ids: [] }
  for (let ask = reader.ask(read); ask !== null; ask = reader.ask(read)) {
    assert.ok(read.pages.length < 20, 'the read does not end')
    read.last = await askPage(url, ask, reader.list)
    read.pages.push(read.last)
    read.ids.push(...read.last.ids)
  }
  return read
}

async function askPage(url: string, { path, headers, json, form }: Ask, list: string[]): Promise<Page> {
  const response = await fetch(url + path, {
    headers: { ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) },
    ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })
  const body: unknown = await response.json()
  assert.equal(response.status, 200, JSON.stringify(body))
  const records = at(body, ...list)
  assert.ok(Array.isArray(records))
  return { body, headers: response.headers, ids: records.map((record) => Number(at(record, 'id'))) }
}

function follow(last: Page | undefined, first: string, next: (page: Page) => Ask | null): Ask | null {
  return last === undefined ? { path: first } : next(last)
}

/** A link must begin as the dialect promises; the rest is the path to ask. */
function linked(link: unknown, beginning: RegExp): Ask | null {
  if (link === null || link === undefined) return null
  assert.ok(typeof link === 'string' && beginning.test(link))
  return { path: link.replace(beginning, '') }
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  )
}
