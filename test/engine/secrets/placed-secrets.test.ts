import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeWithin, type SecretPlace, secretPlaces } from '../../../src/engine/secrets/placed-secrets.ts'

const words: SecretPlace = { in: 'words' }
const headers: SecretPlace = { in: 'header', name: null }
const named: SecretPlace = { in: 'header', name: 'X-Key' }

const rows: [what: string, node: object, name: string, around: SecretPlace, expected: SecretPlace][] = [
  ['fields with headers', { type: 'HttpRequester' }, 'request_headers', words, headers],
  ['an address', { type: 'HttpRequester' }, 'path', words, { in: 'path' }],
  ['the values of a list of partitions', { type: 'ListPartitionRouter' }, 'values', words, { in: 'value' }],
  ['what partitions are called', { type: 'ListPartitionRouter' }, 'cursor_field', words, words],
  ['values of anything else', { type: 'AddFields' }, 'values', words, words],
  ['a header', { 'X-Key': '' }, 'X-Key', headers, named],
  ['a header that is called value', { value: '' }, 'value', headers, { in: 'header', name: 'value' }],
  ['a header that is called type', { type: '', other: '' }, 'other', headers, { in: 'header', name: 'other' }],
  ['the value of a component', { type: 'KeyValue' }, 'value', named, named],
  ['the name of a component', { type: 'KeyValue' }, 'key', named, { in: 'header', name: 'key' }],
  ['a member of a list', [''], '0', named, named],
  [
    'a header that is called as a field with headers',
    {},
    'request_headers',
    headers,
    { in: 'header', name: 'request_headers' },
  ],
  ['a header that is called path', {}, 'path', headers, { in: 'header', name: 'path' }],
  ['anything in an address', { 'X-Key': '' }, 'X-Key', { in: 'path' }, { in: 'path' }],
  ['anything among values', {}, 'a', { in: 'value' }, { in: 'value' }],
  ['a parameter', {}, 'q', { in: 'parameter', name: null }, { in: 'parameter', name: 'q' }],
  ['a member of a body', {}, 'q', { in: 'body', name: null }, { in: 'body', name: 'q' }],
]

for (const [what, node, name, around, expected] of rows) {
  test(`the place of ${what}`, () => assert.deepEqual(placeWithin(node, name, around), expected))
}

test('in a body, members of the name are hidden with all that is in them, whatever their case', () => {
  const { body } = secretPlaces([{ place: { in: 'body', name: 'pin' }, text: 'ab' }])
  assert.equal(
    body('{"pin":"ab","page":1,"in":{"b":"ab","PIN":1}}'),
    '{"pin":"****","page":1,"in":{"b":"ab","PIN":"****"}}',
  )
  assert.equal(body('[{"pin":["ab",{"a":null}]},"ab"]'), '[{"pin":["****",{"a":"****"}]},"ab"]')
  assert.equal(body('null'), 'null')
  assert.equal(body('page=2&pin=ab&Pin=a\nb&pin&p%69n=ab'), 'page=2&pin=****&Pin=****&pin&p%69n=****')
})

test('a body that is one template is hidden whole; other places hide nothing in it', () => {
  const at = (place: SecretPlace) => secretPlaces([{ place, text: 'ab' }])
  assert.equal(at({ in: 'body', name: null }).body('{"page":1}'), '****')
  assert.equal(at(named).body('{"X-Key":"ab"}'), '{"X-Key":"ab"}')
})

test('a place is asked about by its kind and its name, a piece in it by its text', () => {
  const places = secretPlaces([
    { place: named, text: 'ab' },
    { place: { in: 'parameter', name: null }, text: 'cd' },
    { place: { in: 'body', name: 'all' }, text: null },
  ])
  assert.equal(places.isEmpty, false)
  assert.equal(secretPlaces([]).isEmpty, true)
  assert.deepEqual([places.has('header', 'x-key'), places.has('header', 'other')], [true, false])
  assert.deepEqual([places.has('parameter', 'any'), places.has('body', 'X-Key')], [true, false])
  assert.deepEqual([places.holds('header', 'X-Key', 'xaby'), places.holds('header', 'X-Key', 'a-b')], [true, false])
  assert.deepEqual([places.holds('header', 'other', 'ab'), places.holds('body', 'all', '')], [false, true])
})

test('a whole value is hidden anywhere from three letters on', () => {
  const texts = ['ab', 'abc', null]
  const values = secretPlaces(texts.map((text) => ({ place: { in: 'value' }, text })))
  assert.deepEqual(values.wholeValues, ['abc'])
  assert.deepEqual(secretPlaces([{ place: { in: 'path' }, text: 'abc' }]).wholeValues, [])
})

test('a path is hidden whole where the piece in it is known only later', () => {
  const path = (text: string | null, place: SecretPlace = { in: 'path' }) =>
    secretPlaces([{ place, text }]).path('/a%2Fb/ab/xaby')
  assert.equal(path(null), '/****')
  assert.equal(path(null, { in: 'value' }), '/a%2Fb/ab/xaby')
  assert.equal(path('a/b'), '/****/ab/xaby')
  assert.equal(path('aby'), '/a%2Fb/ab/x****')
  assert.equal(path('ab'), '/a%2Fb/****/xaby')
  for (const texts of [
    ['abc', 'abcde'],
    ['abcde', 'abc'],
  ]) {
    const places = secretPlaces(texts.map((text) => ({ place: { in: 'path' }, text })))
    assert.equal(places.path('/abcdef/abcd'), '/****f/****d')
  }
})

test('words hide what they quote, the longer of two pieces whole', () => {
  const quoting = secretPlaces([
    { place: { in: 'words' }, text: 'ab' },
    { place: { in: 'path' }, text: 'ab.' },
    { place: named, text: null },
  ])
  assert.equal(quoting.words('got \'ab\', `ab.`, "abc" and ab'), 'got \'****\', `****`, "abc" and ab')
  assert.equal(secretPlaces([{ place: named, text: 'ab' }]).words('got `ab`'), 'got `****`')
  assert.equal(secretPlaces([{ place: named, text: null }]).words("got '' and `ab`"), "got '' and `ab`")
})
