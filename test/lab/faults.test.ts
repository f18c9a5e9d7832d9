/** Every fault over real HTTP: what is lost, what comes twice, and what the response looks like. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { dialects, dialectsOf } from '../../src/lab/dialects.ts'
import { faults } from '../../src/lab/faults.ts'
import { type Lab, startLab } from '../../src/lab/lab.ts'

type Page = { data: { id: number }[]; total?: number; total_pages?: number; page?: number; has_more?: boolean }

const size = 45
const limit = 10
let lab: Lab
before(async () => {
  lab = await startLab({ size })
})
after(() => lab.close())

const ask = (path: string, init?: RequestInit) => fetch(lab.url + path, init)
const askPage = async (path: string) => (await (await ask(path)).json()) as Page
const idsAt = async (path: string) => (await askPage(path)).data.map(({ id }) => id)
const span = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Pages by number, for a client that knows their count. */
async function pagesOf(fault: string, count: number): Promise<number[][]> {
  const pages: number[][] = []
  for (let page = 1; page <= count; page++) {
    pages.push(await idsAt(`/faults/${fault}/page?per_page=${limit}&page=${page}`))
  }
  return pages
}

suite('a list that misbehaves', () => {
  test('capped-size sends the cap, 50 unless the query says otherwise, and counts pages by it', async () => {
    assert.deepEqual(await idsAt('/faults/capped-size/offset?limit=500&size=120'), span(1, 50))
    const page = await askPage(`/faults/capped-size/page?per_page=${limit}&cap=4&page=2`)
    assert.deepEqual([page.data.map(({ id }) => id), page.total_pages], [span(5, 8), 12])
    assert.deepEqual(await idsAt('/faults/capped-size/offset?cap=0&limit=3'), [1])
    assert.deepEqual(await idsAt('/faults/capped-size/offset?limit=3'), [1, 2, 3], 'a smaller size is heeded')
  })

  test('ignored-parameter sends the first page to every request, and says that it is the first', async () => {
    const page = await askPage(`/faults/ignored-parameter/page?per_page=${limit}&page=4`)
    assert.deepEqual([page.data.map(({ id }) => id), page.page], [span(1, 10), 1])
    assert.deepEqual(await idsAt(`/faults/ignored-parameter/after?limit=${limit}&after=20`), span(1, 10))
  })

  test('cycle: pages 2 and 3 follow each other for ever', async () => {
    const [one, two, three] = [span(1, 10), span(11, 20), span(21, 30)]
    assert.deepEqual(await pagesOf('cycle', 7), [one, two, three, two, three, two, three])
  })

  test('cycle: handed-out cursors come again, too', async () => {
    const { cursors, pages } = await followCursors('cycle', 7)
    assert.equal(new Set(cursors).size, 2)
    assert.deepEqual(pages[3], pages[1])
  })

  test('repeated-cursor: page 2 names itself', async () => {
    const { cursors, pages } = await followCursors('repeated-cursor', 4)
    assert.equal(new Set(cursors).size, 1)
    assert.deepEqual(pages, [span(1, 10), span(11, 20), span(11, 20), span(11, 20)])
  })

  test('empty-page: nothing is lost to a client that continues', async () => {
    const { pages } = await followCursors('empty-page', 99)
    assert.deepEqual(pages[2], [])
    assert.deepEqual(pages.flat(), span(1, size))
    assert.deepEqual((await pagesOf('empty-page', 6)).flat(), span(1, size))
  })

  test('short-page: nothing is lost to a client that continues, by cursor, number, offset or key', async () => {
    const { pages } = await followCursors('short-page', 99)
    assert.deepEqual(pages[2], span(21, 25))
    assert.deepEqual(pages.flat(), span(1, size))
    assert.deepEqual((await pagesOf('short-page', 5)).flat(), span(1, size))
    for (const [path, name] of [
      ['offset', 'offset'],
      ['after', 'after'],
    ] as const) {
      const ids: number[] = []
      while (ids.length < size)
        ids.push(...(await idsAt(`/faults/short-page/${path}?limit=${limit}&${name}=${ids.length}`)))
      assert.deepEqual(ids, span(1, size), path)
    }
  })

  test('duplicate-page: page 3 comes twice, and the rest after it', async () => {
    const { pages } = await followCursors('duplicate-page', 99)
    assert.deepEqual(pages[3], pages[2])
    assert.deepEqual(pages.flat(), [...span(1, 30), ...span(21, 45)])
  })

  test('inserted-rows: a client that counts gets duplicates, and the total grows', async () => {
    assert.deepEqual((await pagesOf('inserted-rows', 5)).flat(), [...span(1, 20), ...span(16, 45)])
    const totalAt = async (offset: number) =>
      (await askPage(`/faults/inserted-rows/offset?limit=${limit}&offset=${offset}`)).total
    assert.deepEqual([await totalAt(10), await totalAt(20)], [45, 50])
  })

  test('deleted-rows: a client that counts loses rows, and the total shrinks', async () => {
    assert.deepEqual((await pagesOf('deleted-rows', 4)).flat(), [...span(1, 20), ...span(26, 45)])
    const pagesAt = async (page: number) =>
      (await askPage(`/faults/deleted-rows/page?per_page=${limit}&page=${page}`)).total_pages
    assert.deepEqual([await pagesAt(2), await pagesAt(3)], [5, 4])
  })

  test('rows that move do not affect a client that continues from a record', async () => {
    for (const fault of ['inserted-rows', 'deleted-rows']) {
      assert.deepEqual((await followCursors(fault, 99)).pages.flat(), span(1, size))
      assert.deepEqual(await idsAt(`/faults/${fault}/after?limit=${limit}&after=20`), span(21, 30))
    }
  })

  test('wrong-total counts a page too many, and has no record more', async () => {
    assert.equal((await askPage(`/faults/wrong-total/offset?limit=${limit}`)).total, 55)
    assert.equal((await askPage(`/faults/wrong-total/page?per_page=${limit}`)).total_pages, 6)
    assert.deepEqual(await idsAt(`/faults/wrong-total/page?per_page=${limit}&page=6`), [])
  })

  test('a list of fewer than three pages hides what the third would show', async () => {
    for (const fault of [
      'empty-page',
      'short-page',
      'duplicate-page',
      'cycle',
      'html',
      'truncated',
      'expired-cursor',
    ]) {
      const { pages } = await followCursors(fault, 99, 20)
      assert.deepEqual(pages, [span(1, 10), span(11, 20)], fault)
    }
  })
})

suite('a door that misbehaves', () => {
  test('rejects-first refuses the first page by its number, and only that', async () => {
    for (const path of ['offset?offset=0', 'page?page=1', 'page0?page=0', 'odata?$skip=0', 'jsonapi?page[number]=1']) {
      assert.equal((await ask(`/faults/rejects-first/${path}`)).status, 400, path)
    }
    for (const path of ['offset', 'offset?offset=1', 'page', 'page?page=2', 'page0?page=1', 'odata', 'link?page=2']) {
      assert.equal((await ask(`/faults/rejects-first/${path}`)).status, 200, path)
    }
    const byHeader = (offset: string) => ask('/faults/rejects-first/offset-header', { headers: { 'X-Offset': offset } })
    assert.deepEqual([(await byHeader('0')).status, (await byHeader('5')).status], [400, 200])
  })

  test('requires-first refuses a request without a place', async () => {
    for (const path of ['offset', 'page', 'page0', 'odata', 'jsonapi', 'link', 'offset-header']) {
      assert.equal((await ask(`/faults/requires-first/${path}`)).status, 400, path)
    }
    for (const path of ['offset?offset=0', 'page?page=1', 'page0?page=0', 'odata?$skip=0', 'link?page=1']) {
      assert.equal((await ask(`/faults/requires-first/${path}`)).status, 200, path)
    }
  })

  test('rate-limit asks to wait a second before each page, and again on the next read', async () => {
    const statusOf = async (offset: number) => (await ask(`/faults/rate-limit/offset?offset=${offset}`)).status
    const statuses = [await statusOf(0), await statusOf(10), await statusOf(0), await statusOf(10), await statusOf(0)]
    assert.deepEqual(statuses, [429, 429, 200, 200, 429])
    const response = await ask('/faults/rate-limit/calendar')
    assert.equal(response.headers.get('retry-after'), '1')
  })

  test('rate-limit distinguishes requests by their headers and bodies', async () => {
    const byHeader = (offset: string) => ask('/faults/rate-limit/offset-header', { headers: { 'X-Offset': offset } })
    const byBody = (query: string) =>
      ask('/faults/rate-limit/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
    const answers = [byHeader('0'), byHeader('1'), byBody('{ a }'), byBody('{ b }')]
    for (const answer of answers) assert.equal((await answer).status, 429)
    assert.equal((await byBody('{ a }')).status, 200)
  })

  test('expired-cursor refuses the cursor of page 3', async () => {
    await assert.rejects(followCursors('expired-cursor', 99), { message: '400 after 2 pages' })
  })
})

suite('a response that misbehaves', () => {
  const third = `offset?limit=${limit}&offset=20`

  test('html: page 3 is a page for people, with status 200', async () => {
    const response = await ask(`/faults/html/${third}`)
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
    assert.match(await response.text(), /^<!doctype html>/)
    assert.equal((await idsAt(`/faults/html/offset?limit=${limit}`)).length, limit)
  })

  test('truncated: the JSON of page 3 ends early, and Content-Length is correct', async () => {
    const response = await ask(`/faults/truncated/${third}`)
    const text = await response.text()
    assert.equal(response.headers.get('content-length'), String(Buffer.byteLength(text)))
    assert.match(text, /^\{"data":\[\{"id":21,/)
    assert.throws(() => JSON.parse(text), SyntaxError)
  })

  test('slow-body comes in pieces, and whole', async () => {
    const { body } = await ask(`/faults/slow-body/offset?limit=${limit}&pace=1`)
    assert.ok(body)
    const pieces: Uint8Array[] = []
    for await (const piece of body) pieces.push(piece)
    assert.ok(pieces.length > 5)
    assert.equal(JSON.parse(Buffer.concat(pieces).toString()).data.length, limit)
  })

  test('slow-body ends when its reader leaves', async () => {
    const stop = new AbortController()
    const { body } = await ask('/faults/slow-body/offset?pace=1000', { signal: stop.signal })
    const reader = body?.getReader()
    await reader?.read()
    stop.abort()
    await assert.rejects(reader?.read() ?? Promise.resolve(), { name: 'AbortError' })
  })

  test('foreign-link: each link leads to the other name of this machine', async () => {
    const nextOf = async (url: string) => ((await (await fetch(url)).json()) as { links: { next: string } }).links.next
    const second = await nextOf(`${lab.url}/faults/foreign-link/next-url?limit=${limit}`)
    assert.equal(new URL(second).host, `localhost:${lab.port}`)
    assert.equal(new URL(await nextOf(second)).host, `127.0.0.1:${lab.port}`)
    const link = (await ask(`/faults/foreign-link/link?per_page=${limit}`)).headers.get('link')
    assert.match(link ?? '', /<http:\/\/localhost:\d+\/faults\/foreign-link\/link\?[^>]*page=2[^>]*>; rel="next"/)
  })
})

suite('every fault', () => {
  for (const fault of faults) {
    test(`${fault.name}: answers where it makes sense, and names those places elsewhere`, async () => {
      const suiting = dialectsOf(fault)
      assert.ok(suiting.length > 0)
      for (const dialect of dialects) {
        const response = await ask(`/faults/${fault.name}${dialect.path.replace('{page}', '1')}`, sent(dialect.path))
        const text = await response.text()
        if (suiting.includes(dialect)) {
          assert.ok([200, 400, 429].includes(response.status), `${dialect.path}: ${response.status}`)
        } else {
          assert.equal(response.status, 404, dialect.path)
          for (const { path } of suiting) assert.ok(text.includes(path))
        }
      }
    })
  }

  test('works with a credential, and its links keep the prefix', async () => {
    const path = `/secure/bearer/faults/capped-size/next-url?cap=2&latency=0&size=9`
    assert.equal((await ask(path)).status, 401)
    const response = await ask(path, { headers: { authorization: 'Bearer leaf-token' } })
    const { data, links } = (await response.json()) as Page & { links: { next: string } }
    assert.equal(data.length, 2)
    assert.match(links.next, /^http:\/\/[^/]+\/secure\/bearer\/faults\/capped-size\/next-url\?cap=2&/)
  })

  test('answers a HEAD like a GET, without the body', async () => {
    for (const path of [
      '/faults/html/offset?limit=10&offset=20',
      '/faults/slow-body/link?pace=1',
      '/faults/truncated/link',
    ]) {
      const get = await ask(path)
      const head = await ask(path, { method: 'HEAD' })
      const length = String((await get.arrayBuffer()).byteLength)
      assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [get.status, length, ''])
    }
  })

  test('of no known name is a 404 that names those there are', async () => {
    const response = await ask('/faults/none/offset')
    const text = await response.text()
    assert.equal(response.status, 404)
    for (const { name } of faults) assert.ok(text.includes(name))
    assert.equal((await ask('/faults/cycle')).status, 404)
    assert.equal((await ask('/faults/cycle/nothing')).status, 404)
    assert.equal((await ask('/faults/capped-size/offset?cap=many')).status, 400)
  })
})

function sent(path: string): RequestInit {
  if (path === '/form') return { method: 'POST', body: new URLSearchParams({ size: '5' }) }
  if (path !== '/search' && path !== '/graphql') return {}
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ records }"}' }
}

/** Pages by cursor, as long as there is one. */
async function followCursors(fault: string, most: number, records = size) {
  const cursors: string[] = []
  const pages: number[][] = []
  for (let cursor: string | null = null; pages.length < most; ) {
    const from: string = cursor === null ? `size=${records}` : `cursor=${cursor}`
    const response = await ask(`/faults/${fault}/cursor?limit=${limit}&${from}`)
    if (!response.ok) throw new Error(`${response.status} after ${pages.length} pages`)
    const { data, meta } = (await response.json()) as Page & { meta: { next_token: string | null } }
    pages.push(data.map(({ id }) => id))
    cursor = meta.next_token
    if (cursor === null) break
    cursors.push(cursor)
  }
  return { cursors, pages }
}
