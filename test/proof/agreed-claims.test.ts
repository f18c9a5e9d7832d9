/** What the claims of a read come to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endingOf, expectedTotal, pageTotalIn, totalIn } from '../../src/proof/claims/agreed-claims.ts'
import type { Claims, NextClaim, NumberClaim } from '../../src/proof/claims/merge-claims.ts'
import { claimsOfPages, rows } from '../helpers/claims-of-pages.ts'

const read: Claims = claimsOfPages([{ body: { data: rows(3) } }, { body: { data: rows(2) } }])
const number = (last: number, more: Partial<NumberClaim> = {}): NumberClaim => ({
  counts: 'records',
  place: ['body', 'total'],
  plus: 0,
  isNamed: true,
  page: 1,
  first: last,
  last,
  least: last,
  most: last,
  isPageSize: false,
  ...more,
})
const total = (numbers: NumberClaim[], more: Partial<Claims> = {}) => totalIn({ ...read, ...more, numbers })?.last

test('numbers by which the manifest ends its read come first, then those with a clear name, then any', () => {
  assert.equal(total([number(9), number(5, { isNamed: false })]), 9)
  assert.equal(total([number(9), number(8, { isDeclared: true })]), 8)
  // As checkpoints of earlier versions have it.
  assert.equal(total([number(9), number(8, { isOwn: true })]), 8)
  assert.equal(total([number(9), number(5, { isNamed: false, isDeclared: true })]), 9)
  assert.equal(total([number(5, { isNamed: false })]), 5)
  assert.equal(total([number(9), number(8)]), undefined)
  assert.equal(total([number(9), number(9)]), 9)
  assert.equal(total([]), undefined)
  assert.equal(total([number(9, { counts: 'pages' })]), undefined)
  assert.equal(pageTotalIn({ ...read, numbers: [number(9), number(4, { counts: 'pages' })] })?.last, 4)
})

test('a total of 0 counts where nothing was received', () => {
  assert.equal(total([number(0)]), undefined)
  assert.equal(total([number(0)], { received: 1 }), undefined)
  assert.equal(total([number(0)], { received: 0 }), 0)
})

test('a total may change by ten, or by a fifth of the largest', () => {
  const changed = (least: number, most: number) => total([number(most, { least, most })])
  assert.equal(changed(10, 20), 20)
  assert.equal(changed(9, 20), undefined)
  assert.equal(changed(80, 100), 100)
  assert.equal(changed(79, 100), undefined)
})

test('the size of the page is no total of several pages', () => {
  assert.equal(total([number(9, { isPageSize: true })]), undefined)
  assert.equal(total([number(9, { isPageSize: true })], { pages: 1 }), 9)
})

test('what only may be a total is one where it is steady, larger than a page, and met', () => {
  const perhaps = (last: number, more: Partial<NumberClaim> = {}) => number(last, { isNamed: false, ...more })
  assert.equal(total([perhaps(5)]), 5)
  assert.equal(total([perhaps(6)]), undefined)
  assert.equal(total([perhaps(6)], { isOver: false }), 6)
  assert.equal(total([perhaps(5)], { isOver: false }), 5)
  assert.equal(total([perhaps(4)], { isOver: false }), undefined)
  assert.equal(total([perhaps(5, { least: 4 })]), undefined)
  assert.equal(total([perhaps(3)], { received: 3 }), undefined)
  assert.equal(total([perhaps(4)], { received: 4 }), 4)
})

test('records are expected by the total, else by full pages, and never fewer than came', () => {
  const expected = (numbers: NumberClaim[]) => expectedTotal({ ...read, numbers })
  assert.equal(expectedTotal(null), null)
  assert.equal(expected([]), null)
  assert.equal(expected([number(9)]), 9)
  assert.equal(expected([number(5)]), 5)
  assert.equal(expected([number(4)]), null)
  assert.equal(expected([number(4, { counts: 'pages' })]), 12)
  assert.equal(expected([number(1, { counts: 'pages' })]), 5)
  assert.equal(expected([number(9), number(4, { counts: 'pages' })]), 9)
})

const claim = (kind: NextClaim['kind'], first: NextClaim['first'], last: NextClaim['last'], more = {}): NextClaim => ({
  place: ['body', kind],
  kind,
  first,
  last,
  ...more,
})
function ending(nexts: NextClaim[], more: Partial<Claims> = {}): string | null {
  const found = endingOf({ ...read, ...more, nexts })
  return found && `${found.says} by ${found.claim.kind}`
}

test('a flag weighs more than a link, a link more than a token, and what is gone more than what is always there', () => {
  assert.equal(ending([]), null)
  assert.equal(ending([claim('token', 'more', 'more'), claim('link', 'more', 'more')]), 'more by link')
  assert.equal(ending([claim('link', 'more', 'more'), claim('flag', 'more', 'more')]), 'more by flag')
  assert.equal(ending([claim('link', 'more', 'end'), claim('flag', 'more', 'more')]), 'more by flag')
  assert.equal(ending([claim('link', 'more', 'more'), claim('token', 'more', 'end')]), 'end by token')
  assert.equal(ending([claim('token', 'more', 'more')]), 'more by token')
})

test('an end that every page claims counts where one page alone has records, and by its name', () => {
  const always = [claim('flag', 'end', 'end')]
  assert.equal(ending(always), null)
  assert.equal(ending(always, { pages: 1 }), 'end by flag')
  assert.equal(ending(always, { filledPages: 1 }), 'end by flag')
  assert.equal(ending(always, { filledPages: 0 }), 'end by flag')
  assert.equal(ending([claim('flag', 'end', 'end', { isNamed: false })], { pages: 1 }), null)
  assert.equal(ending([claim('flag', 'nothing', 'nothing')], { pages: 1 }), null)
  assert.equal(ending([claim('token', 'end', 'end'), claim('link', 'more', 'more')], { pages: 1 }), 'more by link')
  assert.equal(ending([claim('link', 'end', 'end'), claim('token', 'more', 'more')], { pages: 1 }), 'end by link')
})

test('a claim that is gone is an end where its envelope is there', () => {
  const gone = (more: object = {}, claims: Partial<Claims> = {}) =>
    ending([claim('link', 'more', 'nothing', more)], claims)
  const inside = { place: ['body', 'meta', 'next'] }
  assert.equal(gone(), 'end by link')
  assert.equal(gone({ hasHolder: true }), 'end by link')
  assert.equal(gone({ hasHolder: false }), null)
  assert.equal(gone({}, { isLastListed: false }), null)
  assert.equal(gone({}, { isLastPageEmpty: true }), null)
  assert.equal(gone(inside, { isLastPageEmpty: true }), 'end by link')
  assert.equal(gone({ ...inside, hasHolder: false }), null)
  assert.equal(ending([claim('flag', 'more', 'nothing')]), 'end by flag')
  assert.equal(ending([claim('flag', 'more', 'nothing', { isNamed: false })]), null)
  assert.equal(ending([claim('link', 'more', 'nothing', { isNamed: false })]), 'end by link')
  assert.equal(ending([claim('link', 'nothing', 'nothing')]), null)
})
