/** JSON keeps every digit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Float, parseJson, plainNumbers, stringifyJson } from '../src/json.ts'

const texts = [
  '{"id":9007199254740993}',
  '{"id":-12345678901234567890,"next":null}',
  '[1,2.5,-3]',
  '{"price":2.0}',
  '{"tiny":1.5e-7}',
  '{"name":"2.0 and 12345678901234567890"}',
  '{"deep":[{"a":[9007199254740993]}]}',
]

for (const text of texts) {
  test(`${text} comes back as it went in`, () => {
    assert.equal(stringifyJson(parseJson(text).value), text)
  })
}

test('ordinary pages take the fast way', () => {
  assert.equal(parseJson('{"id":1,"price":2.5,"at":"2024-01-01T00:00:00Z"}').hasFloats, false)
})

test('whole floats and long integers are told apart from plain numbers', () => {
  const text = '{"float":2.0,"int":2,"long":9007199254740993,"exponent":1e5,"huge":1e22,"zeros":-3.000}'
  const { value, hasFloats } = parseJson(text)
  assert.ok(hasFloats)
  assert.deepEqual(value, {
    float: new Float(2),
    int: 2,
    long: 9007199254740993n,
    exponent: 100000,
    huge: 1e22,
    zeros: new Float(-3),
  })
})

test('a long number is found wherever it stands', () => {
  for (let shift = 0; shift < 40; shift++) {
    const text = `{"${'k'.repeat(shift)}":1234567890123456789}`
    assert.equal(stringifyJson(parseJson(text).value), text)
  }
})

test('JSON.stringify takes a Float for its number', () => {
  assert.equal(stringifyJson({ a: new Float(2) }), '{"a":2.0}')
  assert.equal(JSON.stringify({ a: new Float(2) }), '{"a":2}')
})

test('programs get JavaScript numbers, and bigints where those would lie', () => {
  assert.deepEqual(plainNumbers({ a: [new Float(2), 9007199254740993n, 'x', null] }), {
    a: [2, 9007199254740993n, 'x', null],
  })
})

const sameAsJsonParse = [
  '{"a":1,"a":2,"x":1.0}',
  '[3.1234567890123456789, -12.5, 1.20, 0.10]',
  '{"q":"\\"2.0\\" and 12345678901234567890"}',
  '[1e20, 1.0e3, -0, 12345678901234567.5]',
]
for (const text of sameAsJsonParse) {
  test(`${text}: beside an exact number, the rest is as JSON.parse has it`, () => {
    const { value } = parseJson(`[9007199254740993, ${text}]`)
    assert.deepEqual(plainNumbers(value), [9007199254740993n, JSON.parse(text)])
  })
}

test('a key named __proto__ is data', () => {
  const { value } = parseJson('{"__proto__":{"polluted":true},"id":9007199254740993}')
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
  assert.ok(Object.hasOwn(value as object, '__proto__') || !('polluted' in (value as object)))
})

test('broken JSON throws, whichever parser meets it', () => {
  assert.throws(() => parseJson('{"a":'), SyntaxError)
  assert.throws(() => parseJson('{"id":9007199254740993,'), SyntaxError)
})
