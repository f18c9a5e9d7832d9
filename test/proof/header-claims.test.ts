/** What headers claim about the pages and the records of a read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimsInHeaders } from '../../src/proof/claims/header-claims.ts'
import { placeName } from '../../src/proof/claims/response-place.ts'

const linking = (...relations: string[]) => ({
  link: relations.map((rel) => `<https://api.test/items?to=${rel}>; rel="${rel}"`).join(', '),
})

/** What the Link header says of the pages before and after. */
function said(...relations: string[]): string {
  const { nexts, previous, starts } = claimsInHeaders(linking(...relations))
  const before = previous.length > 0 ? 'a page before' : starts.length > 0 ? 'the first' : 'nothing'
  const after = nexts.map(({ says, kind, isNamed }) => `${says} ${kind}${isNamed ? '' : '?'}`).join()
  return `${before}, ${after === '' ? 'nothing' : after}`
}

const links: [relations: string[], says: string][] = [
  [['next'], 'nothing, more link'],
  [['next', 'last'], 'the first, more link'],
  [['first', 'next'], 'the first, more link'],
  [['prev', 'next'], 'a page before, more link'],
  [['previous', 'next'], 'a page before, more link'],
  [['prev'], 'a page before, end link'],
  [['previous'], 'a page before, end link'],
  [['first', 'last'], 'the first, end link'],
  [['describedby', 'preload'], 'nothing, nothing'],
  [['next-archive'], 'nothing, nothing'],
]
for (const [relations, says] of links) {
  test(`a Link header with ${relations.join(' and ')} says: ${says}`, () => assert.equal(said(...relations), says))
}

test('a Link header is named as the place of what it says', () => {
  const { nexts, previous } = claimsInHeaders(linking('previous', 'next'))
  assert.deepEqual(
    nexts.map(({ place }) => placeName(place)),
    ['header link next'],
  )
  assert.deepEqual(previous.map(placeName), ['header link prev'])
  assert.deepEqual(claimsInHeaders(linking('first', 'last')).starts.map(placeName), ['header link prev'])
})

test('totals are found in a range and in headers that are named for them or hold JSON', () => {
  const totals = (headers: Record<string, string>) =>
    claimsInHeaders(headers).numbers.map(({ place, value, plus, isNamed }) => [placeName(place), value, plus, isNamed])
  assert.deepEqual(totals({ 'content-range': 'items 0-2/57' }), [['header content-range', 57, 0, true]])
  assert.deepEqual(totals({ 'x-total-count': '57' }), [['header x-total-count', 57, 0, true]])
  assert.deepEqual(totals({ pagination: '{"Total":57}' }), [['header pagination Total', 57, 0, true]])
  assert.deepEqual(totals({ 'x-pagination': '{"TotalCount":57}' }), [['header x-pagination TotalCount', 57, 0, true]])
  assert.deepEqual(totals({ 'x-other': '{"TotalCount":57}', 'content-length': '57' }), [])
})

test('a header that is JSON may name the next page', () => {
  const { nexts } = claimsInHeaders({ 'x-pagination': '{"HasNext":false}' })
  assert.deepEqual(
    nexts.map(({ place, says }) => `${says} at ${placeName(place)}`),
    ['end at header x-pagination HasNext'],
  )
})
