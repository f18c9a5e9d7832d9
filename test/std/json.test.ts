/** JSON keeps every digit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Float, LongDecimal, parseJson, plainNumbers, stringifyJson, withPlainNumbers } from '../../src/std/json.ts'
import { type Dice, diceOf } from '../helpers/dice.ts'
import { seedsOf } from '../helpers/proof.ts'

const texts = [
  '{"id":9007199254740993}',
  '{"id":-12345678901234567890,"next":null}',
  '[1,2.5,-3]',
  '{"price":2.0}',
  '{"price":1234567890.123456789}',
  '[-0.1234567890123456789,12345678901234567.89,0.10000000000000001]',
  '[12345678901234567.0]',
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

test('whole floats and long integers are distinguished from plain numbers', () => {
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

for (const number of [
  '1234567890123456',
  '9007199254740993',
  '900719925474099.3',
  '1.000000000000001234',
  '0.1000000000000000055',
]) {
  test(`${number} is found wherever it is`, () => {
    for (let shift = 0; shift < 40; shift++) {
      for (const text of [`{"${'k'.repeat(shift)}":${number}}`, `[1.5,${'0,'.repeat(shift)}-${number},2.5]`]) {
        assert.equal(stringifyJson(parseJson(text).value), text)
      }
    }
  })
}

test('a number has the digits that JSON gave it, however it is written', () => {
  const [number] = parseJson('[1234567890.123456789]').value as [LongDecimal]
  assert.ok(number instanceof LongDecimal)
  assert.equal(String(number), '1234567890.123456789')
  assert.equal(number.value, 1234567890.1234567)
  assert.equal(JSON.stringify([number]), '[1234567890.1234567]')
  assert.ok(Number(number) > 1_234_567_890)
})

const heldByDoubles = [
  '0.1',
  '0.5000000000000000000000',
  '0.30000000000000004',
  '123456789012345.6',
  '-0.0000012345678901234567',
]
for (const text of heldByDoubles) {
  test(`${text} is a number of JavaScript's`, () => {
    assert.deepEqual(parseJson(`[${text},12345678901234567890]`).value, [Number(text), 12345678901234567890n])
  })
}

test('zeros at the end of a long decimal do not make it another number', () => {
  const { value } = parseJson('[0.12345678901234567890, 0.123456789012345678900, 12345678901234567.000]')
  assert.equal(stringifyJson(value), '[0.1234567890123456789,0.1234567890123456789,12345678901234567.0]')
})

test('a decimal outside of the doubles keeps its digits and counts as what Python makes of it', () => {
  const [large, small] = [`${'9'.repeat(400)}.5`, `0.${'0'.repeat(400)}1`]
  const { value } = parseJson(`[${large},${small}]`)
  assert.deepEqual((value as LongDecimal[]).map(Number), [Infinity, 0])
  assert.equal(stringifyJson(value), `[${large},${small}]`)
})

test('every decimal of up to forty digits comes back as a text, or as the same number', () => {
  let seed = 20_240_229
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  const digits = (count: number) => Array.from({ length: count }, () => random(10)).join('')
  for (let round = 0; round < 20_000; round++) {
    const text = `${random(2) === 0 ? '-' : ''}${1 + random(9)}${digits(random(20))}.${digits(random(20))}${1 + random(9)}`
    assert.equal(stringifyJson(parseJson(`{"n":${text}}`).value), `{"n":${text}}`)
  }
})

test('a million zeros are each read once', () => {
  const zeros = '0'.repeat(1_000_000)
  for (const number of [`0.${zeros}1`, `1${zeros}.${zeros}`, `"1.${'1.'.repeat(500_000)}"`]) parseJson(`[${number}]`)
})

test('times, and numbers in quotes, take the fast way', () => {
  const text = '{"at":"2024-01-01T00:00:00.000Z","id":"12345678901234567890","price":"2.0","ip":"10.0.0.0"}'
  assert.equal(parseJson(text).hasFloats, false)
  assert.deepEqual(parseJson(text).value, JSON.parse(text))
})

test('JSON.stringify takes a Float for its number', () => {
  assert.equal(stringifyJson({ a: new Float(2) }), '{"a":2.0}')
  assert.equal(JSON.stringify({ a: new Float(2) }), '{"a":2}')
})

test('programs get JavaScript numbers, and others only where those would lie', () => {
  const long = new LongDecimal('0.1234567890123456789')
  assert.deepEqual(plainNumbers({ a: [new Float(2), 9007199254740993n, long, 'x', null] }), {
    a: [2, 9007199254740993n, long, 'x', null],
  })
})

const tokens = '1 -2 2.5 2.0 -3.0 10.0 9007199254740993 -0.1234567890123456789 12345678901234567.0'.split(' ')
/** What could be taken for a number, the end of a string or its beginning. */
const bits = Array.from(':,[]{}"\\ \nxé€\u0091').concat(', ', '2.0', '-1.0', '9007199254740993')

function jsonOf(dice: Dice, depth: number): string {
  const string = () => JSON.stringify(Array.from({ length: dice.int(0, 5) }, () => dice.pick(bits)).join(''))
  const inside = () => jsonOf(dice, depth - 1)
  switch (depth === 0 ? 'value' : dice.pick(['value', 'list', 'object'])) {
    case 'list':
      return `[${Array.from({ length: dice.int(0, 4) }, inside).join(',')}]`
    case 'object':
      return `{${Array.from({ length: dice.int(0, 4) }, (_, index) => `"k${index}${string().slice(1)}:${inside()}`).join(',')}}`
    default:
      return dice.chance(0.4) ? string() : dice.pick(tokens)
  }
}

test('numbers are distinguished from what looks like one in a string, with and without spaces', () => {
  for (const seed of seedsOf(20_000)) {
    const text = jsonOf(diceOf(seed), 4)
    const { value } = parseJson(text)
    const read = stringifyJson(value)
    assert.equal(read, text, `seed ${seed}`)
    assert.equal(stringifyJson(parseJson(indented(text)).value), read, `seed ${seed}`)
    assert.deepEqual(withPlainNumbers(value), plainNumbers(value), `seed ${seed}`)
    assert.equal(stringifyJson(value), read, `seed ${seed}`)
  }
})

test('after a number that JSON.stringify cannot write, others are written as it writes them', () => {
  const dates = {
    at: new Date(0),
    none: undefined,
    minus: -0,
    not: Number.NaN,
    list: [undefined, 'a\u2028', '\ud800', true, null],
  }
  const expected = JSON.stringify(dates)
  for (let count = 0; count < 300; count++) {
    if (count % 150 === 0) assert.equal(stringifyJson({ id: 9007199254740993n }), '{"id":9007199254740993}')
    assert.equal(stringifyJson(dates), expected)
    const text = JSON.stringify(JSON.parse(jsonOf(diceOf(count), 4)))
    assert.equal(stringifyJson(JSON.parse(text)), text)
  }
})

/** As many APIs write JSON: a space after each colon, a line for each member. */
function indented(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|[:,]/g, (token) => (token === ':' ? ': ' : token === ',' ? ',\n  ' : token))
}

test('only what holds a whole float is copied to make it plain', () => {
  const [withFloat, without] = parseJson('[{"price":2.0,"tags":["a"]},{"price":2.5}]').value as Record<
    string,
    unknown
  >[]
  const plain = withPlainNumbers(withFloat) as Record<string, unknown>
  assert.deepEqual(plain, { price: 2, tags: ['a'] })
  assert.equal(plain.tags, withFloat?.tags)
  assert.equal(withPlainNumbers(without), without)
})

test('an exponent of many digits is none of the digits of a number', () => {
  assert.deepEqual(parseJson('[1e1234567890123456,1e-1234567890123456,1E+1234567890123456]').value, [
    Infinity,
    0,
    Infinity,
  ])
})

const withExponents: readonly (readonly [string, string])[] = [
  ['1.23456789012345678901e5', '123456.789012345678901'],
  ['-12345678901234567.5E-3', '-12345678901234.5675'],
  ['1.23456789012345678901E-7', '0.000000123456789012345678901'],
  ['0.000123456789012345678901e10', '1234567.89012345678901'],
  ['1.23456789012345678901e+20', '123456789012345678901'],
  ['-12345678901234567891e3', '-12345678901234567891000'],
  ['1.23456789012345678901e400', `123456789012345678901${'0'.repeat(380)}`],
  ['1.2345678901234567e5', '123456.78901234567'],
]
for (const [text, digits] of withExponents) {
  test(`${text} keeps its digits, next to what looks like a number in a string and without`, () => {
    assert.equal(stringifyJson(parseJson(`{"n": ${text}}`).value), `{"n":${digits}}`)
    assert.equal(
      stringifyJson(parseJson(`["\\" 9007199254740993",${text}]`).value),
      `["\\" 9007199254740993",${digits}]`,
    )
  })
}

const sameAsJsonParse = [
  '{"a":1,"a":2,"x":1.0}',
  '[3.141592653589793, -12.5, 1.20, 0.10, 0.30000000000000004]',
  '{"q":"\\"2.0\\" and 12345678901234567890"}',
  '[1e20, 1.0e3, -0, 1.7976931348623157e+308, 5.000000000000000E-324, 1.23456789012345678901e1000]',
]
for (const text of sameAsJsonParse) {
  test(`${text}: next to an exact number, the rest is as JSON.parse has it`, () => {
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

test('numbers that JSON does not allow are refused, however long they are', () => {
  const long = '12345678901234567890'
  const wrong = [
    `.${long}`,
    `-.${long}`,
    `0${long}`,
    `00.0`,
    `-01.0`,
    `01.${long}`,
    `${long}.`,
    `1.${long}.0`,
    `--${long}`,
  ]
  for (const number of wrong) {
    for (const text of [number, `[${number}]`, `{"a":"\\"",  "b":${number}}`, `["x", ${number}, 1.0]`])
      assert.throws(() => parseJson(text), SyntaxError, text)
  }
  for (const number of [long, `-${long}`, `0.${long}`, `-0.${long}`, '0.0', '-10.0'])
    assert.doesNotThrow(() => parseJson(`{"a":"\\"", "b":${number}}`), number)
})
