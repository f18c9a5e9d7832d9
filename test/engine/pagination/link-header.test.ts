/** Link headers as RFC 8288 allows them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headersForTemplates, linksOf } from '../../../src/engine/pagination/link-header.ts'

const rows: [name: string, header: string, rel: string, url: string][] = [
  ['one link', '<https://a/?page=2>; rel="next"', 'next', 'https://a/?page=2'],
  ['several links', '<https://a/1>; rel="prev", <https://a/3>; rel="next"', 'next', 'https://a/3'],
  [
    'commas in the address',
    '<https://a/?ids=1,2,3>; rel="next", <https://a/9>; rel="last"',
    'next',
    'https://a/?ids=1,2,3',
  ],
  ['semicolons in the address', '<https://a/;v=1?x=1>; rel="next"', 'next', 'https://a/;v=1?x=1'],
  ['rel without quotes', '<https://a/2>; rel=next', 'next', 'https://a/2'],
  ['several relations in one', '<https://a/2>; rel="next last"', 'next', 'https://a/2'],
  ['several relations, the second', '<https://a/2>; rel="next last"', 'last', 'https://a/2'],
  ['other parameters first', '<https://a/2>; title="two"; rel="next"', 'next', 'https://a/2'],
  ['relative target', '</items?page=2>; rel="next"', 'next', '/items?page=2'],
  ['single quotes', "<https://a/2>; rel='next'", 'next', 'https://a/2'],
  ['a comma in front', ', <https://a/2>; rel="next"', 'next', 'https://a/2'],
  [
    'nonsense in another link',
    '<https://a/1>; =broken; "x"; rel="prev", <https://a/2>; rel="next"',
    'next',
    'https://a/2',
  ],
  ['no brackets', 'https://a/2; rel="next"', 'next', 'https://a/2'],
  ['a title with a comma', '<https://a/2>; title="one, two; three"; rel="next"', 'next', 'https://a/2'],
  ['REL in capitals', '<https://a/2>; REL="next"', 'next', 'https://a/2'],
  ['NEXT in capitals', '<https://a/2>; rel="NEXT"', 'next', 'https://a/2'],
  ['brackets in a title', '<https://a/2>; title="page <2>"; rel="next"', 'next', 'https://a/2'],
  ['quotes in a title', '<https://a/2>; title="a \\"q; rel=prev\\" b"; rel="next"', 'next', 'https://a/2'],
  ['no spaces', '<https://a/2>;rel="next",<https://a/9>;rel="last"', 'last', 'https://a/9'],
]

for (const [name, header, rel, url] of rows) {
  test(name, () => assert.equal(linksOf(header)[rel]?.url, url))
}

test('no header, an empty one and a broken one name no link', () => {
  assert.deepEqual(linksOf(undefined), {})
  assert.deepEqual(linksOf(''), {})
  assert.equal(linksOf('what is this')['next'], undefined)
})

test('of two links with one relation the first counts, and one without a relation is named by its address', () => {
  assert.deepEqual(linksOf('<https://a/1>; rel="next", <https://a/2>; rel="next"'), {
    next: { rel: 'next', url: 'https://a/1' },
  })
  assert.deepEqual(linksOf('<https://a/1>; title="one"'), { 'https://a/1': { title: 'one', url: 'https://a/1' } })
  assert.deepEqual(linksOf('<https://a/2>; rel="next last"')['next last'], { rel: 'next last', url: 'https://a/2' })
})

test('of two attributes with one name the first counts, and an address is without spaces around it', () => {
  assert.deepEqual(linksOf('< https://a/1 >; rel=next; rel=prev; a="x\\"y"').next, {
    rel: 'next',
    a: 'x\\"y',
    url: 'https://a/1',
  })
})

test('templates see the links of the Link header, and every other header as it is', () => {
  const { entries } = headersForTemplates({ link: '<https://a/2>; rel="next"', 'x-a': '1' })
  assert.deepEqual(entries.link, { next: { rel: 'next', url: 'https://a/2' } })
  assert.equal(entries['x-a'], '1')
})
