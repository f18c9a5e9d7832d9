/** Where a response says something, and what is there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  flagOf,
  hasHolder,
  isSamePlace,
  jsonInHeader,
  placeName,
  rangeTotal,
  responseValue,
  wholeNumber,
} from '../../src/proof/claims/response-place.ts'
import { Float } from '../../src/std/json.ts'

test('a place is named by its members, or by its header', () => {
  assert.equal(placeName(['body', 'meta', 'total']), 'meta.total')
  assert.equal(placeName(['header', 'link', 'next']), 'header link next')
})

test('places are the same where each name is', () => {
  assert.equal(isSamePlace(['body', 'a', 'b'], ['body', 'a', 'b']), true)
  assert.equal(isSamePlace(['body', 'a', 'b'], ['body', 'a']), false)
  assert.equal(isSamePlace(['body', 'a'], ['body', 'a', 'b']), false)
  assert.equal(isSamePlace(['body', 'a'], ['body', 'b']), false)
  assert.equal(isSamePlace(['body', 'a'], ['header', 'a']), false)
})

test('a value is read from the body, a header, a link, a range, or JSON in a header', () => {
  const headers = {
    link: '<https://api.test/2>; rel="next"',
    'x-total': '7',
    'content-range': 'items 0-2/57',
    'x-pagination': '{"Total":9}',
  }
  const at = (...place: Parameters<typeof responseValue>[1]) =>
    responseValue({ body: { meta: { total: 5 } }, headers }, place)
  assert.equal(at('body', 'meta', 'total'), 5)
  assert.equal(at('body', 'meta', 'other'), undefined)
  assert.equal(at('header', 'x-total'), '7')
  assert.equal(at('header', 'x-other'), undefined)
  assert.equal(at('header', 'link', 'next'), 'https://api.test/2')
  assert.equal(at('header', 'link', 'prev'), undefined)
  assert.equal(at('header', 'link'), undefined)
  assert.equal(at('header', 'content-range'), 57)
  assert.equal(at('header', 'x-pagination', 'Total'), 9)
  assert.equal(at('header', 'x-pagination', 'Other'), undefined)
  assert.equal(at('header', 'x-total', 'Other'), undefined)
})

test('an absent value says something where the object that would hold it is there', () => {
  const headers = { link: '</1>; rel="prev"' }
  const isHeld = (body: unknown, ...place: Parameters<typeof hasHolder>[1]) => hasHolder({ body, headers }, place)
  assert.equal(isHeld({ meta: {} }, 'body', 'meta', 'next'), true)
  assert.equal(isHeld({ meta: [] }, 'body', 'meta', 'next'), true)
  assert.equal(isHeld({ meta: null }, 'body', 'meta', 'next'), false)
  assert.equal(isHeld({}, 'body', 'meta', 'next'), false)
  assert.equal(isHeld({}, 'header', 'link', 'next'), true)
  assert.equal(isHeld({}, 'header', 'x-pagination', 'HasNext'), false)
  assert.equal(isHeld({}, 'header', 'x-next'), true)
  assert.equal(isHeld({}, 'body', 'next'), true)
  for (const [list, isThere] of [
    ['found', true],
    ['null', false],
    ['missing', false],
  ] as const) {
    assert.equal(hasHolder({ body: {}, headers, list }, ['body', 'next']), isThere, list)
    assert.equal(hasHolder({ body: {}, headers, list }, ['header', 'x-next']), isThere, list)
    assert.equal(hasHolder({ body: { meta: {} }, headers, list }, ['body', 'meta', 'next']), true, list)
  }
})

test('a range has a total unless it counts bytes, or does not know', () => {
  assert.equal(rangeTotal('items 0-9/57'), 57)
  assert.equal(rangeTotal('0-9/57'), 57)
  assert.equal(rangeTotal('*/0'), 0)
  assert.equal(rangeTotal('Bytes 0-9/57'), null)
  assert.equal(rangeTotal('items 0-9/*'), null)
  assert.equal(rangeTotal(undefined), null)
})

test('a header holds members where it is an object in JSON', () => {
  assert.deepEqual(jsonInHeader('{"a":1}'), { a: 1 })
  for (const header of [undefined, '', '[1]', '7', '{"a":', 'x{"a":1}']) assert.equal(jsonInHeader(header), null)
})

test('a whole number is one that may count, as a number or in at most fifteen digits', () => {
  assert.equal(wholeNumber(0), 0)
  assert.equal(wholeNumber('0'), 0)
  assert.equal(wholeNumber(new Float(57)), 57)
  assert.equal(wholeNumber('9'.repeat(15)), 999_999_999_999_999)
  assert.equal(wholeNumber(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
  const others = [-1, '-1', 1.5, '1.5', new Float(1.5), '9'.repeat(16), 2 ** 53, '', ' 1', null, undefined, true, [1]]
  for (const value of others) assert.equal(wholeNumber(value), null)
})

test('a flag is true or false, in words too', () => {
  assert.deepEqual([true, 'true', false, 'false', 'TRUE', 1, 0, null, undefined, ''].map(flagOf), [
    true,
    true,
    false,
    false,
    ...Array.from({ length: 6 }, () => null),
  ])
})
