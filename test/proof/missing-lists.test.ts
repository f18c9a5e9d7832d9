/** A page without its list: whether it may hold records elsewhere, and whether it is the envelope of the first page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Claims } from '../../src/proof/claims/merge-claims.ts'
import {
  envelopeNames,
  isMapInPlace,
  isPartial,
  missingLists,
  nullLists,
} from '../../src/proof/claims/missing-lists.ts'
import type { ClaimRules, PageFacts } from '../../src/proof/claims/page-facts.ts'
import { claimsOfPages, plainRules, rows, type TestPage } from '../helpers/claims-of-pages.ts'

const facts = { headers: {}, receivedCount: 0, part: 0, isLast: true, isError: false }
const missing = (body: unknown): PageFacts => ({ ...facts, body, list: 'missing' })
const rules = (recordPath: string[] | null) => ({ recordPath }) as ClaimRules
const none = {} as Claims

function hasOther(body: unknown, recordPath: string[] | null = ['data']) {
  return missingLists(none, missing(body), rules(recordPath), 1).withoutList?.hasOther
}

test('another list, or objects by their keys in its place, may hold the records', () => {
  assert.equal(hasOther({ items: [{ id: 1 }] }), true)
  assert.equal(hasOther({ result: { items: [{ id: 1 }] } }, ['result', 'data']), true)
  assert.equal(hasOther({ data: { a: { id: 1 }, b: { id: 2 } } }), true)
  assert.equal(hasOther({ data: { a: { name: 'x' } } }), true)
  assert.equal(hasOther({ data: { a: { id: 1 }, count: 2 } }), false)
  assert.equal(hasOther({ data: {} }), false)
  assert.equal(hasOther({ a: { items: [{ id: 1 }], b: {} } }, ['a', 'b', 'data']), true)
  assert.equal(hasOther({ message: 'no' }), false)
  assert.equal(hasOther({}), false)
})

test('where the body itself should be the list, an object around an error is not taken for records', () => {
  assert.equal(hasOther({ error: { message: 'no' } }, []), false)
  assert.equal(hasOther({ error: { message: 'no' } }, null), false)
  assert.equal(hasOther({ items: [{ id: 1 }] }, []), true)
})

test('pages without their list are counted, with the first of them; a page with the list is not the last without', () => {
  const first = missingLists(none, missing({}), rules(['data']), 3)
  assert.deepEqual(first, { withoutList: { pages: 1, first: 3, isLast: true, hasOther: false } })
  const before = { ...none, ...first }
  assert.deepEqual(missingLists(before, missing({ items: [{ id: 1 }] }), rules(['data']), 4), {
    withoutList: { pages: 2, first: 3, isLast: true, hasOther: true },
  })
  const other = { ...none, ...missingLists(before, missing({ items: [{ id: 1 }] }), rules(['data']), 4) }
  assert.equal(missingLists(other, missing({}), rules(['data']), 5).withoutList?.hasOther, true)
  assert.deepEqual(missingLists(before, { ...facts, body: { data: [] } }, rules(['data']), 4), {
    withoutList: { pages: 1, first: 3, isLast: false, hasOther: false },
  })
  assert.deepEqual(missingLists(none, { ...facts, body: { data: [] } }, rules(['data']), 4), {})
})

test('the envelope of the first page is known by what is next to the list and the token', () => {
  const more = [{ kind: 'token', place: ['body', 'next'], says: 'more' }] as unknown as Parameters<
    typeof envelopeNames
  >[2]
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, index]))
  assert.deepEqual(envelopeNames({ data: [], next: 'a', kind: 'k' }, ['data'], more), ['kind'])
  assert.equal(envelopeNames({ data: [], next: 'a' }, ['data'], more), null)
  assert.equal(envelopeNames({ data: [], kind: 'k' }, ['data'], []), null)
  const other = (place: string[], says: string) => [{ kind: 'token', place, says }] as unknown as typeof more
  assert.equal(envelopeNames({ data: [], next: null, kind: 'k' }, ['data'], other(['body', 'next'], 'end')), null)
  assert.equal(envelopeNames({ data: [], a: { b: 'c' } }, ['data'], other(['body', 'a', 'b'], 'more')), null)
  assert.deepEqual(envelopeNames({ a: { data: [] }, time: 't' }, ['a', 'data'], []), ['time'])
  assert.equal(envelopeNames({ a: { data: [] } }, ['a', 'data'], []), null)
  assert.equal(envelopeNames({ a: { b: { data: [] } }, time: 't' }, ['a', 'b', 'data'], []), null)
  assert.equal(envelopeNames({ data: [], next: 'a', ...members(18) }, ['data'], more)?.length, 18)
  assert.equal(envelopeNames({ data: [], next: 'a', ...members(19) }, ['data'], more), null)
})

test('an envelope is kept where all of it is there, and nothing new could hold records', () => {
  const isKept = (body: unknown) =>
    missingLists({ ...none, envelope: ['kind', 'etag'] }, missing(body), rules(['data']), 2).withoutList?.isKept
  assert.equal(isKept({ kind: 'k', etag: 'e' }), true)
  assert.equal(isKept({ kind: 'k', etag: 'e', took: 3, hints: [] }), true)
  assert.equal(isKept({ kind: 'k' }), undefined)
  assert.equal(isKept({ kind: 'k', etag: 'e', rows: [1] }), undefined)
  assert.equal(isKept({ kind: 'k', etag: 'e', rows: {} }), undefined)
})

test('an object that held the list and is empty is the end of a list inside of it', () => {
  const isKept = (body: unknown) =>
    missingLists({ ...none, envelope: ['time'] }, missing(body), rules(['a', 'data']), 2).withoutList?.isKept
  assert.equal(isKept({ a: {}, time: 't' }), true)
  assert.equal(isKept({ a: {} }), undefined)
  assert.equal(isKept({ time: 't' }), undefined)
  assert.equal(isKept({ a: { maxResults: 5 }, time: 't' }), undefined)
  assert.equal(isKept({ a: {}, b: { data: [1] }, time: 't' }), undefined)
})

test('lists that are null are counted, errors aside, with the last page before records came', () => {
  const page = (receivedCount: number, isNull: boolean): PageFacts => ({
    ...facts,
    body: {},
    receivedCount,
    ...(isNull && { list: 'null' as const }),
  })
  assert.deepEqual(nullLists(none, page(2, false), 1), {})
  assert.deepEqual(nullLists(none, { ...page(0, true), isError: true }, 1), {})
  assert.deepEqual(nullLists(none, page(0, true), 1), { nullLists: 1 })
  const before = { ...none, nullLists: 1 }
  assert.deepEqual(nullLists(before, page(0, true), 2), { nullLists: 2 })
  assert.deepEqual(nullLists(before, page(2, false), 2), { nullLists: 1, nullBefore: 1 })
  assert.deepEqual(nullLists(before, page(1, false), 2), { nullLists: 1, nullBefore: 1 })
  assert.deepEqual(nullLists({ ...before, nullBefore: 1 }, page(2, false), 3), { nullLists: 1, nullBefore: 1 })
})

const map = { data: { a: { name: 'x' }, b: { name: 'y' } } }

test('records by their keys in place of the list: the first such page, and whether records came after it', () => {
  const seen = (...pages: TestPage[]) => {
    const { withoutRecords, hasRecordsAfter } = claimsOfPages(pages)
    return [withoutRecords, hasRecordsAfter]
  }
  const inPlace = { body: map, received: 1 }
  const filled = { body: { data: rows(3) } }
  assert.deepEqual(seen(filled, inPlace), [2, undefined])
  assert.deepEqual(seen(inPlace, { body: { data: rows(1) } }), [1, undefined])
  assert.deepEqual(seen(inPlace, filled), [1, true])
  assert.deepEqual(seen(inPlace, filled, { body: { data: rows(1) } }), [1, true])
  assert.deepEqual(seen(filled, filled), [undefined, undefined])
})

test('objects by their keys are in place of the list where one record came of them, and records are counted', () => {
  const page = { ...facts, body: map, receivedCount: 1 }
  assert.equal(isMapInPlace(page, plainRules), true)
  assert.equal(isMapInPlace({ ...page, receivedCount: 2 }, plainRules), false)
  assert.equal(isMapInPlace(page, { ...plainRules, countsRecords: false }), false)
  assert.equal(isMapInPlace(page, { ...plainRules, recordPath: null }), false)
  assert.equal(isMapInPlace(page, { ...plainRules, recordPath: ['data', '*'] }), false)
  assert.equal(isMapInPlace({ ...page, body: { data: { a: { name: 'x' }, b: 2 } } }, plainRules), false)
})

function holdsMore(body: unknown, recordPath: string[] | null, receivedCount = 1, countsRecords = true): boolean {
  return isPartial({ ...facts, body, receivedCount }, { ...plainRules, recordPath, countsRecords })
}

test('a page holds more than its records where some member of the list has none, and one is meant of each', () => {
  const edges = [{ node: { id: 1 } }, { node: null }]
  assert.equal(holdsMore({ edges }, ['edges', '*', 'node']), true)
  assert.equal(holdsMore({ edges }, ['edges', '*', 'node'], 2), false)
  assert.equal(holdsMore({ data: { edges } }, ['data', 'edges', '*', 'node']), true)
  assert.equal(holdsMore(edges, ['*', 'node']), true)
  assert.equal(holdsMore({ edges }, ['edges', '*', 'node'], 1, false), false)
  assert.equal(holdsMore({ edges }, ['edges', '*']), false)
  assert.equal(holdsMore({ edges }, ['edges', '*', 'nodes', '*']), false)
  assert.equal(holdsMore({ edges }, ['edges', '*', 'nodes', '*', 'node']), false)
})

test('a body that is the list holds more than its records where members are null, or the first has no values', () => {
  assert.equal(holdsMore([{ id: 1 }, null], []), true)
  assert.equal(holdsMore([{ id: null }, { id: 1 }], [], 2), true)
  assert.equal(holdsMore([{ id: 1 }, { id: null }], [], 2), false)
  assert.equal(holdsMore([{ id: 1 }], []), false)
})

test('a body that was taken for one record holds more where it is a map, a list and nothing else, or names a next page', () => {
  assert.equal(holdsMore(map.data, []), true)
  assert.equal(holdsMore({ items: rows(2) }, []), true)
  assert.equal(holdsMore({ items: rows(2), next: '/b' }, []), true)
  assert.equal(holdsMore({ items: rows(2), name: 'x' }, []), false)
  assert.equal(holdsMore({ name: 'x' }, []), false)
  assert.equal(holdsMore({ id: 1, items: rows(2), next: '/b' }, []), false)
  assert.equal(holdsMore(map.data, [], 2), false)
  assert.equal(holdsMore(map.data, null), false)
})

test('an object in place of the list holds more where it is a message, a map, or holds a list', () => {
  assert.equal(holdsMore({ data: { message: 'later' } }, ['data']), true)
  assert.equal(holdsMore({ data: { name: 'x', items: rows(2) } }, ['data']), true)
  assert.equal(holdsMore(map, ['data']), true)
  assert.equal(holdsMore({ data: { name: 'x' } }, ['data']), false)
  assert.equal(holdsMore({ data: { id: 1, items: rows(2) } }, ['data']), false)
  assert.equal(holdsMore({ data: rows(1) }, ['data']), false)
  assert.equal(holdsMore(map, ['data'], 2), false)
})
