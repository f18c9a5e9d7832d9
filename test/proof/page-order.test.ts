/** Whether pages follow each other as the API numbers and names them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOffTrack, nextPosition, positionIn } from '../../src/proof/claims/page-order.ts'
import { envelopesIn } from '../../src/proof/claims/envelopes.ts'
import { nextNamed, type PositionClaim } from '../../src/proof/claims/envelope-claims.ts'
import type { PageFacts } from '../../src/proof/claims/page-facts.ts'
import { rows } from '../helpers/claims-of-pages.ts'

const data = rows(3)
const facts = { headers: {}, receivedCount: 3, part: 0, isLast: false, isError: false }

test('the position of a page is its first record, else its number, wherever it says so first', () => {
  const found = (body: object) => {
    const position = positionIn(envelopesIn({ data, ...body }, ['data']))
    return position && [position.place.slice(1).join('.'), position.counts, position.first]
  }
  assert.deepEqual(found({ page: 1, offset: 0 }), ['offset', 'records', 0])
  assert.deepEqual(found({ page: 1 }), ['page', 'pages', 1])
  assert.deepEqual(found({ page: 2, meta: { skip: 6 } }), ['meta.skip', 'records', 6])
  assert.deepEqual(found({ start: '3' }), ['start', 'records', 3])
  assert.deepEqual(found({ start: 'monday', page: 1 }), ['page', 'pages', 1])
  assert.equal(found({ total: 9 }), null)
  // The page of a book, the start of an event.
  assert.equal(found({ id: 1, page: 4 }), null)
  assert.deepEqual(positionIn(envelopesIn({ data, offset: 0 }, ['data'])), {
    place: ['body', 'offset'],
    counts: 'records',
    first: 0,
    isMoving: false,
    gap: null,
  })
})

test('a page follows where its position is where the one before it ended', () => {
  const claim = (counts: 'records' | 'pages', first: number): PositionClaim => ({
    place: ['body', 'at'],
    counts,
    first,
    isMoving: false,
    gap: null,
  })
  const moved = (before: PositionClaim, at: unknown) => {
    const { isMoving, gap } = nextPosition(before, { ...facts, body: { at } }, { pages: 2, received: 6 })
    return [isMoving, gap]
  }
  assert.deepEqual(moved(claim('records', 1), 7), [true, null])
  assert.deepEqual(moved(claim('records', 1), 6), [true, 3])
  assert.deepEqual(moved(claim('pages', 1), 3), [true, null])
  assert.deepEqual(moved(claim('pages', 1), 4), [true, 3])
  assert.deepEqual(moved(claim('pages', 0), 2), [true, null])
  assert.deepEqual(moved({ ...claim('pages', 1), gap: 2 }, 4), [true, 2])
  assert.deepEqual(moved({ ...claim('pages', 1), gap: 2 }, 3), [true, 2])
  // One that never changes is a setting.
  assert.deepEqual(moved(claim('pages', 1), 1), [false, null])
  assert.deepEqual(moved(claim('pages', 1), 'x'), [false, null])
})

type Next = PageFacts['next']

function off(body: Record<string, unknown>, next: Next | undefined, isCounting = false): boolean {
  const nexts = Object.keys(body).flatMap((name) => nextNamed(body[name], ['body', name]) ?? [])
  return isOffTrack({ ...facts, body, ...(next !== undefined && { next }) }, nexts, isCounting)
}

test('a read is off the track where no next page that the API names is the one requested', () => {
  assert.equal(off({ next: 'b' }, { value: 'b' }), false)
  assert.equal(off({ next: 'b' }, { value: 'c' }), true)
  assert.equal(off({ next: 'b', other: 'c' }, { value: 'c' }), false)
  assert.equal(off({ next: 7 }, { value: 7 }), false)
  assert.equal(off({ next: 7 }, { value: 8 }), true)
  assert.equal(off({ next: 2n ** 60n }, { value: String(2n ** 60n) }), false)
  assert.equal(off({ next: '/items?c=b' }, { value: 'b' }), false)
  assert.equal(off({ next: '/items?c=b%20c' }, { value: 'b c' }), false)
  assert.equal(off({ next: { params: { limit: 3, cursor: 'b' } } }, { value: 'b' }), false)
  assert.equal(off({ next: { cursor: 'b', isLast: false } }, { value: 'false' }), true)
  assert.equal(off({ next: '?c=b' }, { value: 'x', url: 'https://api.test/items?c=b' }), false)
  assert.equal(off({ next: '?c=b' }, { value: 'x', url: 'https://api.test/items?c=d' }), true)
})

test('nothing is known of the track where there is no next page, or none is named', () => {
  assert.equal(off({ next: 'b' }, null), false)
  assert.equal(off({ next: 'b' }, undefined), false)
  assert.equal(off({}, { value: 'c' }), false)
  assert.equal(off({ next: null }, { value: 'c' }), false)
  assert.equal(off({ next: true }, { value: 'c' }), false)
  assert.equal(off({ next: 0 }, { value: 'c' }), false)
  const page = { ...facts, body: { next: 'b' }, next: { value: 'c' } }
  const named = { place: ['body', 'next'], kind: 'token', says: 'more', isNamed: true } as const
  assert.equal(isOffTrack(page, [named], false), true)
  assert.equal(isOffTrack(page, [{ ...named, isNamed: false }], false), false)
  assert.equal(isOffTrack(page, [{ ...named, kind: 'flag' }], false), false)
})

test('a read that counts is off the track only where a link counts otherwise', () => {
  assert.equal(off({ next: '/items?page=2' }, { value: 2 }, true), false)
  assert.equal(off({ next: '/items?page=2' }, { value: 3 }, true), true)
  assert.equal(off({ next: '/items?page=2&offset=3' }, { value: 3 }, true), false)
  assert.equal(off({ next: '/items?cursor=2' }, { value: 3 }, true), false)
  assert.equal(off({ next: '/items?page=b' }, { value: 3 }, true), false)
  assert.equal(off({ next: 'b' }, { value: 3 }, true), false)
})
