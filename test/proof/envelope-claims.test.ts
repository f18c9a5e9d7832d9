/** What the members of an envelope claim, by their names and values. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimsIn, nextNamed } from '../../src/proof/claims/envelope-claims.ts'
import { placeName } from '../../src/proof/claims/response-place.ts'

const next = (value: unknown, isDeclared?: boolean, name = 'next') => {
  const found = nextNamed(value, ['body', name], isDeclared)
  return found && `${found.says} ${found.kind}${found.isNamed ? '' : '?'}`
}

const values: [value: unknown, says: string | null][] = [
  ['abc', 'more token'],
  [7, 'more token'],
  ['https://api.test/b', 'more link'],
  ['HTTP://api.test/b', 'more link'],
  ['/b', 'more link'],
  ['?page=2', 'more link'],
  [true, 'more flag'],
  [false, 'end flag'],
  [null, 'end token'],
  ['', 'end token'],
  [0, 'end token'],
  ['0', 'end token'],
  ['2024-05-01', null],
  ['2024-05', 'more token'],
  [['/b'], null],
  [{ id: 5 }, null],
  [{ href: '/b' }, 'more link'],
  [{ href: null }, 'end token'],
  [{ href: null, url: '/b' }, 'more link'],
  [{ limit: 3, cursor: 'b' }, 'more token'],
  [{ limit: 3 }, 'more token'],
  [{ cursor: null, limit: 3 }, 'end token'],
  [{ limit: 3, cursor: null }, 'end token'],
  [{}, 'end token'],
  [{ a: { b: { c: { d: { href: null } } } } }, 'more token'],
  [{ params: { limit: 3, cursor: 'b' } }, 'more token'],
  [{ a: { b: { c: { href: '/b' } } } }, 'more link'],
  [{ a: { b: { c: { href: null } } } }, 'end token'],
]
for (const [value, says] of values) {
  test(`a next page of ${JSON.stringify(value)} says: ${says ?? 'nothing'}`, () => assert.equal(next(value), says))
}

test('where the manifest reads its next page, a date and a thing are one too', () => {
  assert.equal(next('2024-05-01', true), 'more token')
  assert.equal(next({ id: 5 }, true), 'more token')
  assert.equal(next([5], true), null)
  assert.equal(next('abc', true, 'weiter'), 'more token?')
  assert.equal(next('abc', true, 'next_cursor'), 'more token')
  assert.equal(next(false, true, 'weiter'), 'end flag?')
  assert.equal(nextNamed(false, ['body', 'next'])?.more, true)
  const inside = (...place: string[]) => nextNamed('abc', ['body', ...place], true)?.isNamed
  assert.deepEqual([inside('next', 'after'), inside('next', 'a', 'b'), inside('a', 'next')], [true, false, true])
})

const plain = { place: ['body'] as ['body'], mayBeThing: false, hasOtherLists: false }

test('numbers are claims by their names, and by what is next to them', () => {
  const numbers = (members: Record<string, unknown>, more: object = {}) =>
    claimsIn({ ...plain, members, ...more }).numbers.map(
      ({ counts, place, value, plus, isNamed }) =>
        `${value}+${plus} ${counts} at ${placeName(place)}${isNamed ? '' : '?'}`,
    )
  assert.deepEqual(numbers({ total_count: 9 }), ['9+0 records at total_count'])
  assert.deepEqual(numbers({ total: 0 }), ['0+0 records at total'])
  assert.deepEqual(numbers({ total: { value: 9, relation: 'eq' } }), ['9+0 records at total.value'])
  assert.deepEqual(numbers({ total: { value: 9, relation: 'gte' } }), [])
  assert.deepEqual(numbers({ count: 9 }), [])
  assert.deepEqual(numbers({ count: 9, offset: 0 }), ['9+0 records at count?'])
  assert.deepEqual(numbers({ pages: 4 }), [])
  assert.deepEqual(numbers({ pages: 4, page: 1 }), ['4+0 pages at pages'])
  assert.deepEqual(numbers({ total_pages: '4' }), ['4+0 pages at total_pages'])
  assert.deepEqual(numbers({ total_pages: 'many' }), [])
  assert.deepEqual(numbers({ last_page: 4, page: 1 }), ['4+0 pages at last_page'])
  assert.deepEqual(numbers({ last_page: 4, page: 0 }), ['4+1 pages at last_page'])
  assert.deepEqual(numbers({ last_page: 4, page: 2 }), [])
  assert.deepEqual(numbers({ last_page: 'x', page: 1 }), [])
  assert.deepEqual(numbers({ total_count: 9 }, { hasOtherLists: true }), [])
  assert.deepEqual(numbers({ total: 9, total_count: 8 }, { mayBeThing: true }), ['8+0 records at total_count'])
})

test('pages before and after are claims by their names, flags in their own sense, and links in a list', () => {
  const said = (members: Record<string, unknown>, more: object = {}) => {
    const { nexts, previous, starts } = claimsIn({ ...plain, members, ...more })
    return [
      ...nexts.map(({ says, kind, place, more: meansMore }) =>
        [says, kind, placeName(place), ...(meansMore === undefined ? [] : [meansMore])].join(' '),
      ),
      ...previous.map((place) => `previous ${placeName(place)}`),
      ...starts.map((place) => `start ${placeName(place)}`),
    ]
  }
  assert.deepEqual(said({ has_more: 'true' }), ['more flag has_more true'])
  assert.deepEqual(said({ has_more: 'yes' }), [])
  assert.deepEqual(said({ is_last: true }), ['end flag is_last false'])
  assert.deepEqual(said({ is_last: false }), ['more flag is_last false'])
  assert.deepEqual(said({ prev: '/a', next: '/c' }), ['more link next', 'previous prev'])
  assert.deepEqual(said({ prev: null }), ['start prev'])
  assert.deepEqual(said({ next: '/c', next_cursor: 'c' }, { mayBeThing: true }), ['more token next_cursor'])
  assert.deepEqual(
    said({
      links: [
        { rel: 'self', href: '/a' },
        { rel: 'next', href: '/c' },
      ],
    }),
    ['more link links.next'],
  )
  assert.deepEqual(said({ links: [{ rel: 'self', href: '/a' }] }), [])
  assert.deepEqual(said({ items: [{ rel: 'next', href: '/c' }] }), [])
})
