/** The lab without a socket: refusals, credentials, the index, and the exact text of records. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { dialects } from '../../src/lab/dialects.ts'
import { answerLab } from '../../src/lab/answer.ts'
import type { LabRequest } from '../../src/lab/exchange.ts'
import { faults } from '../../src/lab/faults.ts'
import type { LabResponse } from '../../src/lab/faults/fault.ts'

type Sent = { method?: string; headers?: Record<string, string>; body?: string; size?: number }

function ask(target: string, { method = 'GET', headers = {}, body = '', size }: Sent = {}): LabResponse {
  const [path = '', query = ''] = target.split('?')
  const request: LabRequest = { method, path, query: new URLSearchParams(query), headers, body }
  return answerLab(size === undefined ? request : { ...request, size })
}

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const strangerCursor = Buffer.from('["/cursor",10,5]').toString('base64url')

const refusals: [what: string, target: string, sent: Sent, status: number, field: string | undefined][] = [
  ['a limit of 0', '/offset?limit=0', {}, 400, 'limit'],
  ['a limit that is a word', '/offset?limit=ten', {}, 400, 'limit'],
  ['an empty limit', '/offset?limit=', {}, 400, 'limit'],
  ['a negative offset', '/offset?offset=-1', {}, 400, 'offset'],
  ['a parameter sent twice', '/offset?limit=1&limit=1', {}, 400, 'limit'],
  ['page 0 where pages count from 1', '/page?page=0', {}, 400, 'page'],
  ['page 0 in brackets', '/jsonapi?page[number]=0', {}, 400, 'page[number]'],
  ['a page in the path that is a word', '/path/two', {}, 400, 'page'],
  ['half a range', '/range?range=5', {}, 400, 'range'],
  ['no range', '/range', {}, 400, 'range'],
  ['a header that is no number', '/offset-header', { headers: { 'x-offset': 'x' } }, 400, 'X-Offset'],
  ['a size beyond a billion', '/offset?size=1000000001', {}, 400, 'size'],
  ['a latency that is a word', '/offset?latency=soon', {}, 400, 'latency'],
  ['a cursor of garbage', '/cursor?cursor=garbage', {}, 400, 'cursor'],
  ['an empty cursor', '/cursor?cursor=', {}, 400, 'cursor'],
  ['a cursor beyond its end', `/cursor?cursor=${strangerCursor}`, {}, 400, 'cursor'],
  ['a body that is not JSON', '/search', { method: 'POST', headers: json, body: '{' }, 400, 'body'],
  ['a body that is a list', '/search', { method: 'POST', headers: json, body: '[]' }, 400, 'body'],
  ['a page that is a text', '/search', { method: 'POST', headers: json, body: '{"page":"1"}' }, 400, 'page'],
  [
    'a size that is a text',
    '/search',
    { method: 'POST', headers: json, body: '{"page":{"size":"5"}}' },
    400,
    'page.size',
  ],
  ['JSON where a form is expected', '/form', { method: 'POST', headers: json, body: '{}' }, 415, 'Content-Type'],
  ['a form where JSON is expected', '/search', { method: 'POST', headers: form, body: 'a=1' }, 415, 'Content-Type'],
  ['a GraphQL request without a query', '/graphql', { method: 'POST', headers: json, body: '{}' }, 400, 'query'],
  ['a month that is none', '/calendar?month=2024-13', {}, 400, 'month'],
  ['a month before the first', '/calendar?month=2023-12', {}, 400, 'month'],
  ['too much in one page', '/all?size=100001', {}, 400, 'size'],
  ['a body beyond 1 MB', '/search', { method: 'POST', headers: json, body: ' '.repeat(1024 * 1024 + 1) }, 413, 'body'],
]

suite('the lab refuses', () => {
  for (const [what, target, sent, status, field] of refusals) {
    test(what, () => {
      const response = ask(target, sent)
      const { error } = parse(response)
      assert.equal(response.status, status)
      assert.equal(error.field, field)
      assert.ok(error.message.length > 0)
    })
  }

  test('an unknown path, naming every endpoint', () => {
    for (const path of ['/nothing', '/offset/', '/secure/none/offset', '/secure/constructor/offset', '//']) {
      const response = ask(path)
      assert.equal(response.status, 404)
      for (const dialect of dialects) assert.ok(response.body.includes(`${dialect.method} ${dialect.path}`))
    }
  })

  test('a wrong method, naming the right ones', () => {
    for (const { path, method } of dialects) {
      const response = ask(path, { method: method === 'GET' ? 'POST' : 'GET' })
      assert.equal(response.status, 405)
      assert.equal(response.headers['Allow'], method === 'GET' ? 'GET, HEAD' : 'POST')
    }
  })

  test('a cursor that another endpoint gave out', () => {
    const { meta } = parse(ask('/cursor?limit=1'))
    assert.equal(ask(`/cursor?cursor=${meta.next_token}`).status, 200)
    assert.equal(ask(`/cursor-header?cursor=${meta.next_token}`).status, 400)
  })
})

suite('the lab answers', () => {
  test('with 100 records a page, and at most 1000', () => {
    const countOf = (target: string) => parse(ask(target)).data.length
    assert.equal(countOf('/offset'), 100)
    assert.equal(countOf('/offset?limit=5000&size=3000'), 1000)
    assert.equal(parse(ask('/offset', { size: 7 })).total, 7)
  })

  test('with the same records every time, wherever a page begins', () => {
    assert.equal(ask('/offset').body, ask('/offset').body)
    const [tenth] = parse(ask('/offset?offset=9&limit=1')).data
    assert.deepEqual(parse(ask('/offset')).data[9], tenth)
  })

  test('from the far end of ten million records', () => {
    const { data } = parse(ask('/offset?size=10000000&offset=9999999'))
    assert.deepEqual(
      data.map(({ id }) => id),
      [10_000_000],
    )
  })

  test('with long integers, every digit of them in the text', () => {
    const digits = [...ask('/offset?limit=1000&size=1000').body.matchAll(/"big_id":(\d+),/g)].map(
      ([, big]) => big ?? '',
    )
    assert.equal(new Set(digits).size, 1000)
    for (const [position, big] of digits.entries()) {
      assert.match(big, /^1\d{18}$/)
      assert.ok(big.endsWith(String(position + 1).padStart(10, '0')))
    }
    assert.ok(digits.some((big) => String(Number(big)) !== big))
  })

  test('with notes that are sometimes null and never broken', () => {
    const { data } = parse(ask('/all'))
    const notes = new Set(data.map(({ note }) => note))
    assert.ok(notes.has(null) && notes.has('👩‍🚀 to the moon 🚀') && notes.has('line one\nline two'))
  })

  test('a HEAD like a GET, without the body', () => {
    const get = ask('/link')
    assert.deepEqual(ask('/link', { method: 'HEAD' }), { ...get, body: '' })
    assert.equal(get.headers['Content-Length'], String(Buffer.byteLength(get.body)))
  })

  test('late when asked to, but never by more than five seconds', () => {
    assert.equal(ask('/offset').delayMs, 0)
    assert.equal(ask('/offset?latency=20').delayMs, 20)
    assert.equal(ask('/offset?latency=60000').delayMs, 5000)
  })

  test('that it is well', () => assert.equal(ask('/health').body, '{"status":"ok"}'))
})

const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` })

suite('with a credential', () => {
  const doors: [scheme: string, target: string, headers: Record<string, string>, status: number][] = [
    ['Bearer', '/secure/bearer/offset', { authorization: 'Bearer leaf-token' }, 200],
    ['Bearer', '/secure/bearer/offset', { authorization: 'bearer leaf-token' }, 200],
    ['Bearer', '/secure/bearer/offset', { authorization: 'Bearer other' }, 401],
    ['Bearer', '/secure/bearer/offset', {}, 401],
    ['Basic', '/secure/basic/link', basic('leaf:turn'), 200],
    ['Basic', '/secure/basic/link', basic('leaf:other'), 401],
    ['ApiKey', '/secure/key/path/2', { 'x-api-key': 'leaf-key' }, 200],
    ['ApiKey', '/secure/key/path/2?api_key=leaf-key', {}, 200],
    ['ApiKey', '/secure/key/path/2?api_key=other', {}, 401],
    ['ApiKey', '/secure/key/path/2', {}, 401],
  ]
  for (const [scheme, target, headers, status] of doors) {
    test(`${target} with ${JSON.stringify(headers)} is ${status}`, () => {
      const response = ask(target, { headers })
      assert.equal(response.status, status)
      assert.equal(response.headers['WWW-Authenticate']?.startsWith(`${scheme} realm=`), status === 401 || undefined)
    })
  }

  test('next links keep the prefix, and carry no key', () => {
    const response = ask('/secure/key/next-url?api_key=leaf-key&limit=1', { headers: { host: 'lab.test:1' } })
    const { next } = parse(response).links
    assert.match(next, /^http:\/\/lab\.test:1\/secure\/key\/next-url\?limit=1&cursor=[\w-]+$/)
  })
})

suite('the index', () => {
  test('lists every dialect, for programs and for people', () => {
    const index = parse(ask('/'))
    const html = ask('/', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    assert.match(html.headers['Content-Type'] ?? '', /^text\/html/)
    assert.deepEqual(
      index.dialects.map(({ path, method, kind }) => ({ path, method, kind })),
      dialects.map(({ path, method, kind }) => ({ path, method, kind })),
    )
    for (const { path, method } of dialects) assert.ok(html.body.includes(`${method} ${path}`))
  })

  test('lists every fault with where it makes sense', () => {
    const index = parse(ask('/'))
    const html = ask('/', { headers: { accept: 'text/html' } })
    assert.deepEqual(
      index.faults.map(({ name }) => name),
      faults.map(({ name }) => name),
    )
    assert.ok(index.faults.every((fault) => fault.dialects.every((path) => dialects.some((one) => one.path === path))))
    for (const { name } of faults) {
      const [, href = ''] = new RegExp(`href="(/faults/${name}/[^"]+)"`).exec(html.body) ?? []
      assert.notEqual(ask(href.replaceAll('&#38;', '&')).status, 404, name)
    }
  })

  test('is JSON unless HTML is preferred', () => {
    for (const accept of ['*/*', 'application/json', 'text/html;q=0.5, application/json', undefined]) {
      assert.match(ask('/', { headers: accept === undefined ? {} : { accept } }).body, /^\{"name":/)
    }
  })

  test('gives requests that work', () => {
    for (const dialect of dialects.filter(({ method }) => method === 'GET')) {
      assert.equal(ask(dialect.try.replace(/ .*/, '')).status, 200, dialect.path)
    }
  })

  test('repeats no markup from the Host header', () => {
    const { body } = ask('/', { headers: { accept: 'text/html', host: '<script>' } })
    assert.ok(!body.includes('<script'))
  })
})

/** What the responses hold, as far as these tests look. */
type Body = {
  data: { id: number; note: string | null }[]
  total: number
  meta: { next_token: string }
  links: { next: string }
  dialects: { path: string; method: string; kind: string }[]
  faults: { name: string; dialects: string[] }[]
  error: { message: string; field?: string }
}

function parse({ body }: LabResponse): Body {
  return JSON.parse(body)
}
