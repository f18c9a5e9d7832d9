/** Which records have a key, and what it is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashKey, hasKey, keyTexts } from '../../../src/engine/pagination/record-key.ts'
import type { JsonRecord } from '../../../src/engine/plan/plan.ts'
import { Hash } from '../../../src/std/hashing/hash.ts'

const record = { id: 7, none: null, zero: 0, text: '', no: false, shop: { code: 'a', none: null }, list: ['a'] }

const rows: [name: string, paths: string[][], has: boolean][] = [
  ['a value', [['id']], true],
  ['a value in an object', [['shop', 'code']], true],
  ['0', [['zero']], true],
  ['an empty text', [['text']], true],
  ['false', [['no']], true],
  ['values in both fields', [['id'], ['shop', 'code']], true],
  ['null', [['none']], false],
  ['null in an object', [['shop', 'none']], false],
  ['no such field', [['uuid']], false],
  ['no such field in an object', [['shop', 'uuid']], false],
  ['a field of null', [['none', 'id']], false],
  ['a field of a text', [['text', 'length']], false],
  ['a value in one of two fields', [['id'], ['uuid']], false],
  ['a name that every object inherits', [['constructor']], false],
]
for (const [name, paths, has] of rows) {
  test(`a record with ${name} ${has ? 'has' : 'lacks'} the key`, () => {
    assert.equal(hasKey(record, paths), has)
    assert.equal(hashKey(new Hash(), record, paths) !== null, has)
  })
}

test('a key is shown as text: strings as they are, anything else as JSON, and nothing where it is missing', () => {
  assert.deepEqual(keyTexts(record, [['shop', 'code'], ['id'], ['list'], ['none'], ['uuid']]), [
    'a',
    '7',
    '["a"]',
    'null',
    '',
  ])
})

test('the hash of a key depends on the values of its fields, their order and the seed, and on nothing else', () => {
  const hashOf = (one: JsonRecord, paths: string[][], seed?: number) => {
    const hash = hashKey(new Hash(), one, paths, seed)
    return hash === null ? null : [hash.low, hash.high]
  }
  const both = [['a'], ['b']]
  assert.deepEqual(hashOf({ a: 1, b: 2, c: 3 }, both), hashOf({ b: 2, a: 1 }, both))
  assert.notDeepEqual(hashOf({ a: 1, b: 2 }, both), hashOf({ a: 2, b: 1 }, both))
  assert.notDeepEqual(hashOf({ a: 'x', b: 'yz' }, both), hashOf({ a: 'xy', b: 'z' }, both))
  assert.deepEqual(hashOf(record, [['id']]), hashOf(record, [['id']], 0))
  assert.notDeepEqual(hashOf(record, [['id']]), hashOf(record, [['id']], 1))
})
