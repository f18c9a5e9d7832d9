/** Paging values are marked where they go, whatever the request looks like. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyPieces, headerPieces, urlPieces } from '../../../../src/builder/stream/pagination/marked-text.ts'
import type { PagingMark, PreviewedRequest } from '../../../../src/server/wire/inspection.ts'

const mark = (place: PagingMark['place'], name: string, value: string): PagingMark => ({
  what: 'page-token',
  place,
  name,
  value,
})
const request = (change: Partial<PreviewedRequest>): PreviewedRequest => ({
  method: 'GET',
  url: 'http://api/orders',
  headers: {},
  body: null,
  marks: [],
  when: 'first',
  ...change,
})
const marked = (pieces: { text: string; mark: unknown }[]) =>
  pieces.map(({ text, mark: at }) => (at === null ? text : `«${text}»`)).join('')

test('in the query, among others, with names as people write them', () => {
  const url = 'http://api/orders?sort=offset&page%5Boffset%5D=200&q=a%26b'
  const pieces = urlPieces(request({ url, marks: [mark('query', 'page[offset]', '200')] }))
  assert.equal(marked(pieces), 'http://api/orders?sort=offset&page[offset]=«200»&q=a%26b')
})

test('a whole address', () => {
  const pieces = urlPieces(request({ url: '‹next address›', marks: [mark('path', '', '‹next address›')] }))
  assert.equal(marked(pieces), '«‹next address›»')
})

test('nothing where nothing is marked, and nothing breaks on odd addresses', () => {
  assert.equal(marked(urlPieces(request({ url: 'http://api/a?b=%E0%A4%A&c' }))), 'http://api/a?b=%E0%A4%A&c')
})

test('in headers of any case; others are not shown', () => {
  const headers = { accept: 'application/json', 'x-offset': '100' }
  const lines = headerPieces(request({ headers, marks: [mark('header', 'X-Offset', '100')] }))
  assert.deepEqual(lines.map(marked), ['x-offset: «100»'])
})

test('in JSON, after the last name of the path', () => {
  const body = '{"query":"cursor","page":{"size":2,"cursor":"a \\"b\\""}}'
  const marks = [
    mark('body', 'page.cursor', 'a "b"'),
    { ...mark('body', 'page.size', '2'), what: 'page-size' as const },
  ]
  assert.equal(
    marked(bodyPieces(request({ body, marks }))),
    '{"query":"cursor","page":{"size":«2»,"cursor":«"a \\"b\\""»}}',
  )
})

test('in a form', () => {
  const pieces = bodyPieces(request({ body: 'size=2&cursor=abc', marks: [mark('body', 'cursor', 'abc')] }))
  assert.equal(marked(pieces), 'size=2&cursor=«abc»')
})
