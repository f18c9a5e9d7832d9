/** Which objects of a response may hold claims about its records. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { envelopesIn, listsIn } from '../../src/proof/claims/envelopes.ts'

const data = [{ id: 1, meta: { total: 1 } }]

/** `''` is the body itself. */
function placesIn(body: unknown, recordPath: string[] | null): string[] {
  return envelopesIn(body, recordPath).map(({ place: [, ...names] }) => names.join('.'))
}

function partsOf(body: unknown, recordPath: string[], isListMissing?: boolean) {
  return envelopesIn(body, recordPath, isListMissing).map(({ place: [, ...names], mayBeThing, hasOtherLists }) => [
    names.join('.'),
    mayBeThing,
    hasOtherLists,
  ])
}

test('envelopes are around the list and next to it, two deep, and never records', () => {
  const meta = { pagination: { cursor: { next: 'a' } } }
  assert.deepEqual(placesIn({ data, meta, shop: { total: 3 } }, ['data']), ['', 'meta', 'meta.pagination'])
  assert.deepEqual(placesIn({ links: {}, result: { orders: data, meta } }, ['result', 'orders']), [
    '',
    'links',
    'result',
    'result.meta',
    'result.meta.pagination',
  ])
  assert.deepEqual(placesIn({ page: { items: data, page: {} } }, ['page', 'items']), ['', 'page', 'page.page'])
  assert.deepEqual(placesIn({ meta }, null), ['', 'meta', 'meta.pagination'])
  assert.deepEqual(placesIn('text', ['data']), [])
})

test('objects that hold records by their keys are not searched', () => {
  const body = { data: { meta: { total: 1 }, info: { total: 2 } }, meta: {} }
  assert.deepEqual(placesIn(body, ['data', '*']), ['', 'meta'])
  assert.deepEqual(placesIn({ data, meta: {} }, ['data', '*', 'item']), ['', 'meta'])
})

test('a list at a name that every object inherits is not there', () => {
  assert.deepEqual(placesIn({}, ['constructor', 'prototype', 'list']), [''])
})

test('a body that is the record has no envelope, unless it is plainly one around a list', () => {
  assert.deepEqual(placesIn(data, []), [])
  assert.deepEqual(placesIn({ name: 'a', total: 3 }, []), [])
  assert.deepEqual(placesIn({ id: 1, items: data }, []), [])
  assert.deepEqual(placesIn({ items: data, others: data }, []), [])
  assert.deepEqual(partsOf({ items: data, meta: {} }, []), [
    ['', false, false],
    ['meta', false, false],
  ])
})

test('an object of more than a hundred members is no envelope, and fifty are enough', () => {
  const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))
  assert.deepEqual(placesIn({ data, meta: members(100) }, ['data']), ['', 'meta'])
  assert.deepEqual(placesIn({ data, meta: members(101) }, ['data']), [''])
  const many = Array.from({ length: 60 }, (_, index) => [
    `${'_'.repeat(index % 30)}${index < 30 ? 'meta' : 'paging'}`,
    {},
  ])
  assert.equal(placesIn({ data, ...Object.fromEntries(many) }, ['data']).length, 50)
})

test('an envelope with other lists may count those; links are no such list, nor is a list of values', () => {
  const others = (body: object, isListMissing?: boolean) => partsOf(body, ['data'], isListMissing)[0]?.[2]
  assert.equal(others({ data, users: [{ id: 2 }] }), true)
  assert.equal(others({ data, users: [{ id: 2 }] }, true), false)
  assert.equal(others({ data, links: [{ rel: 'next' }], _link: [{ rel: 'next' }], names: ['a'], users: [] }), false)
  assert.deepEqual(listsIn({ data, users: data, names: ['a'] }), [data, data])
  assert.deepEqual(listsIn({ data, users: data }, 'data'), [data])
})

test('an object may be a thing where it has an id, or a name that may hold anything and no word of pages', () => {
  const isThing = (meta: object) => partsOf({ data, ...meta }, ['data'])[1]?.[1]
  assert.equal(isThing({ meta: { total: 3 } }), false)
  assert.equal(isThing({ meta: { id: 1, total: 3 } }), true)
  assert.equal(isThing({ info: { total: 3 } }), true)
  assert.equal(isThing({ info: { total: 3, page: 1 } }), false)
  assert.deepEqual(partsOf({ results: { items: data, total: 3 } }, ['results', 'items'])[1], ['results', false, false])
})
