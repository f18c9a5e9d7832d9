/** Link headers as RFC 8288 allows them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linksOf } from '../../../src/engine/pagination/link-header.ts'

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
