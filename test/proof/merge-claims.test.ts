/** What is kept of the claims of each page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  mergeNexts,
  mergeNumbers,
  type NextClaim,
  noteFlags,
  type NumberClaim,
} from '../../src/proof/claims/merge-claims.ts'
import type { FoundNext, FoundNumber } from '../../src/proof/claims/envelope-claims.ts'
import type { PageFacts } from '../../src/proof/claims/page-facts.ts'

const pageOf = (body: unknown, receivedCount = 3): PageFacts => ({
  body,
  headers: {},
  receivedCount,
  part: 0,
  isLast: false,
  isError: false,
})
const number = (name: string, value: number, more: Partial<FoundNumber> = {}): FoundNumber => ({
  counts: 'records',
  place: ['body', name],
  value,
  plus: 0,
  isNamed: true,
  ...more,
})
const next = (name: string, says: 'more' | 'end', more: Partial<FoundNext> = {}): FoundNext => ({
  place: ['body', name],
  kind: 'link',
  says,
  isNamed: true,
  ...more,
})
const first = (found: FoundNumber[], receivedCount = 3) => mergeNumbers([], found, pageOf({}, receivedCount), 1)

function again(claims: NumberClaim[], body: unknown, receivedCount = 3): Partial<NumberClaim> | undefined {
  const [claim] = mergeNumbers(claims, [], pageOf(body, receivedCount), 2)
  return claim && { last: claim.last, least: claim.least, most: claim.most, isPageSize: claim.isPageSize }
}

test('at most sixteen numbers are kept, and as many claims of a next page', () => {
  const names = Array.from({ length: 20 }, (_, index) => `n${index}`)
  assert.equal(first(names.map((name) => number(name, 5))).length, 16)
  assert.equal(
    mergeNexts(
      [],
      names.map((name) => next(name, 'more')),
      pageOf({}),
      true,
    ).length,
    16,
  )
})

test('after the first page only totals that are named for it are new, and none is counted twice', () => {
  const found = [
    number('total', 9),
    number('count', 9, { isNamed: false }),
    number('pages', 4, { counts: 'pages' }),
    number('total', 8),
  ]
  const names = (claims: NumberClaim[]) => claims.map(({ place, page, last }) => [place[1], page, last])
  assert.deepEqual(names(first(found)), [
    ['total', 1, 9],
    ['count', 1, 9],
    ['pages', 1, 4],
  ])
  assert.deepEqual(names(mergeNumbers([], found, pageOf({}), 2)), [['total', 2, 9]])
})

test('what is added to a number is added on every page', () => {
  const claims = first([number('last_page', 3, { counts: 'pages', plus: 1, isDeclared: true })])
  assert.deepEqual(claims[0], {
    counts: 'pages',
    place: ['body', 'last_page'],
    plus: 1,
    isNamed: true,
    isDeclared: true,
    page: 1,
    first: 4,
    last: 4,
    least: 4,
    most: 4,
    isPageSize: false,
  })
  assert.equal(again(claims, { last_page: 4 })?.last, 5)
})

test('a number remembers its bounds, stays where it is absent or text, and is dropped where it is no whole number', () => {
  const claims = first([number('total', 9)])
  assert.deepEqual(again(claims, { total: 12 }), { last: 12, least: 9, most: 12, isPageSize: false })
  assert.deepEqual(again(claims, { total: 7 }), { last: 7, least: 7, most: 9, isPageSize: false })
  assert.equal(again(claims, {})?.last, 9)
  assert.equal(again(claims, { total: 'many' })?.last, 9)
  assert.equal(again(claims, { total: 9.5 }), undefined)
  assert.equal(again(claims, { total: -1 }), undefined)
  const [kept] = mergeNumbers(claims, [], { ...pageOf({ total: 2.5 }), isError: true }, 2)
  assert.equal(kept?.last, 9)
})

test('a number is the size of the page as long as every page has as many records', () => {
  const size = first([number('count', 3)], 3)
  assert.equal(size[0]?.isPageSize, true)
  assert.equal(again(size, { count: 2 }, 2)?.isPageSize, true)
  assert.equal(again(size, { count: 3 }, 2)?.isPageSize, false)
  assert.equal(again(first([number('count', 4)], 3), { count: 3 }, 3)?.isPageSize, false)
})

test('a claim of a next page keeps what the first page said, and what the last one says', () => {
  const known = mergeNexts([], [next('next', 'more', { more: true, kind: 'flag' })], pageOf({}), true)
  assert.deepEqual(known, [
    { place: ['body', 'next'], kind: 'flag', first: 'more', last: 'more', isNamed: true, more: true },
  ])
  const seen = (found: FoundNext[], page: PageFacts = pageOf({})) => {
    const [{ first: before, last, kind, hasHolder } = {} as NextClaim] = mergeNexts(
      [{ place: ['body', 'next'], kind: 'token', first: 'more', last: 'more' }],
      found,
      page,
      false,
    )
    return [before, last, kind, hasHolder]
  }
  assert.deepEqual(seen([next('next', 'more')]), ['more', 'more', 'link', undefined])
  assert.deepEqual(seen([next('next', 'end')]), ['more', 'end', 'token', undefined])
  assert.deepEqual(seen([]), ['more', 'nothing', 'token', true])
  assert.deepEqual(seen([], { ...pageOf({}), list: 'missing' }), ['more', 'nothing', 'token', false])
})

test('a claim that a later page brings had said nothing on the first', () => {
  const [claim] = mergeNexts([], [next('next', 'end')], pageOf({}), false)
  assert.deepEqual([claim?.first, claim?.last], ['nothing', 'end'])
  assert.equal(mergeNexts([], [next('next', 'end'), next('next', 'more')], pageOf({}), true).length, 1)
})

test('what a flag says on a page with records is kept, in its own sense; links are left as they are', () => {
  const filled = (body: unknown, more: boolean | undefined) =>
    noteFlags(
      [{ place: ['body', 'flag'], kind: 'flag', first: 'more', last: 'more', ...(more !== undefined && { more }) }],
      pageOf(body),
    )[0]?.filled
  assert.equal(filled({ flag: true }, true), 'more')
  assert.equal(filled({ flag: false }, true), 'end')
  assert.equal(filled({ flag: false }, false), 'more')
  assert.equal(filled({ flag: true }, false), 'end')
  assert.equal(filled({}, true), 'nothing')
  assert.equal(filled({ flag: true }, undefined), undefined)
})
