/** Which tokens count, and which name a record. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageToken } from '../../src/engine/request/page-token.ts'
import { isCountedToken } from '../../src/proof/claims/is-counted-token.ts'

const links: [link: unknown, counts: boolean][] = [
  ['https://api.test/records?page=2', true],
  ['/records?per_page=10&page=2', true],
  ['?page%5Bnumber%5D=3&page%5Bsize%5D=10', true],
  ['https://api.test/odata?$top=10&$skip=20', true],
  ['/records?startIndex=100', true],
  ['/records?start_row=100', true],
  ['/records?q=%&page=2', true],
  ['/records?per_page=10&page[size]=10', false],
  ['/records?page[after]=42', false],
  ['/records?cursor=12&limit=10', false],
  ['/records?page=eyJpZCI6NDJ9', false],
  ['/records?page=20260101000000000', false],
  ['/records/page/2', false],
  ['abc?', false],
  [42, false],
  [null, false],
]

for (const [link, counts] of links) {
  test(`${String(link)} ${counts ? 'counts' : 'does not'}`, () => assert.equal(isCountedToken(pageToken(link)), counts))
}

test('the address of a token comes before its value', () => {
  assert.equal(isCountedToken(pageToken('abc', 'https://api.test/records?offset=10')), true)
  assert.equal(isCountedToken(null), false)
})

const named: [value: unknown, names: string[], counts: boolean][] = [
  [20, ['cursor', 'next_offset'], true],
  ['3', ['page'], true],
  [3, ['next_page'], true],
  [3, ['nextPage'], true],
  [812, ['cursor', 'next_cursor'], false],
  [812, ['after', 'next'], false],
  ['YXJyYXljb25uZWN0aW9uOjk=', ['after', 'endCursor'], true],
  ['b2Zmc2V0PTIw', ['cursor'], true],
  ['eyJpZCI6NDJ9', ['cursor'], false],
  ['abc', ['page'], false],
]
for (const [value, names, counts] of named) {
  test(`${String(value)} of ${names.join(' and ')} ${counts ? 'counts' : 'does not'}`, () => {
    assert.equal(isCountedToken(pageToken(value), names), counts)
  })
}
