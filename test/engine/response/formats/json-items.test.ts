import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FormatError, longestItem } from '../../../../src/engine/response/formats/item-parser.ts'
import { parseJsonItems } from '../../../../src/engine/response/formats/json-items.ts'

function itemsIn(text: string, path = 'data', cut = text.length): unknown[] {
  const parser = parseJsonItems(path)
  return [...parser.read(text.slice(0, cut)), ...parser.read(text.slice(cut)), ...parser.end()]
}

/** The same of the text as a whole, and cut into two pieces anywhere. */
function eachCut(text: string, check: (cut: number) => void) {
  for (let cut = 0; cut <= text.length; cut++) check(cut)
}

test('JSON items: a number of ten thousand digits is one, of a digit more is none', () => {
  const ofDigits = (count: number) => `{"data":[${'1'.repeat(count)}]}`
  assert.deepEqual(itemsIn(ofDigits(10_000)), [BigInt('1'.repeat(10_000))])
  assert.throws(() => itemsIn(ofDigits(10_001)), /is not JSON, at character 10$/)
})

test('JSON items: a thousand levels around the list are followed, one more is refused', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  assert.deepEqual(itemsIn(nested(1_000)), [])
  assert.throws(() => itemsIn(nested(1_001)), /the JSON nests deeper than 1000 levels at character 5002$/)
})

const lists: [what: string, text: string, path: string, items: unknown[]][] = [
  [
    'every kind of value',
    '{"data":[1,-2.5e3,true,null,"a",[],{},{"b":[1],"c":{"d":{}}}]}',
    'data',
    [1, -2500, true, null, 'a', [], {}, { b: [1], c: { d: {} } }],
  ],
  [
    'text that looks like an end',
    String.raw`{"data":["]}","\"]","\\",{"a\"}":"\\\"]"}]}`,
    'data',
    [']}', '"]', '\\', { 'a"}': '\\"]' }],
  ],
  ['space anywhere', ' {\n"data"\t:\r[ 1 , [ 2 ] , "x" ] , "y" : 1 } ', 'data', [1, [2], 'x']],
  ['a list on the way', '{"a":[{"b":[1,{"c":[2]}]},{"b":[3]},{"x":0}]}', 'a.item.b', [1, { c: [2] }, 3]],
  ['lists of a list', '[[1,2],[3],{"a":4}]', 'item', [1, 2, 3]],
  ['only the list at the path', '{"x":{"data":[1]},"data":{"data":[2]},"datas":[3]}', 'data', []],
  ['a name with escapes', String.raw`{"d\u0061ta":[1],"other":"data"}`, 'data', [1]],
  ['other values around', '{"a":1,"b":"x","c":[[{}]],"d":null,"data":[7],"e":{"f":[1.5]}}', 'data', [7]],
]
for (const [what, text, path, items] of lists) {
  test(`JSON items: ${what}, wherever a piece ends`, () => {
    eachCut(text, (cut) => assert.deepEqual(itemsIn(text, path, cut), items, `cut at ${cut}`))
  })
}

test('JSON items: only an item with a fraction has one', () => {
  const hasFloats = (text: string) => {
    const parser = parseJsonItems('data')
    parser.read(text)
    return parser.hasFloats
  }
  assert.equal(hasFloats('{"other":1.0,"data":[1]}'), false)
  assert.equal(hasFloats('{"data":[1.0,1]}'), true)
})

const broken: [text: string, words: string][] = [
  ['{"data" [1]}', 'where no value belongs, at character 9'],
  ['{"data":[1 2]}', 'where no value belongs, at character 12'],
  ['{1:2}', 'where no value belongs, at character 2'],
  ['{"data":[]}x', 'where no value belongs, at character 12'],
  ['{"data":[]}"x"', 'where no value belongs, at character 12'],
  ['{"data":[1,,2]}', 'where none belongs, at character 12'],
  ['{"data":[1:2]}', 'where none belongs, at character 11'],
  ['["a":1]', 'where none belongs, at character 5'],
  ['{,}', 'where none belongs, at character 2'],
  ['{"data":[]},', 'where none belongs, at character 12'],
  ['{"data":[1}', 'closes what is not open, at character 11'],
  ['{"data":[1],}', 'closes what is not open, at character 13'],
  ['{"data":{"x":1],"y":2}}', 'closes what is not open, at character 15'],
  ['{"data":[1]]', 'closes what is not open, at character 12'],
  ['{"a"}', 'closes what is not open, at character 5'],
  ['{"a":}', 'closes what is not open, at character 6'],
  ['[1,]', 'closes what is not open, at character 4'],
  [']', 'closes what is not open, at character 1'],
  ['{"data":[tru]}', 'is not JSON, at character 10'],
  ['{"a":01}', 'is not JSON, at character 6'],
  ['{"a":1e}', 'is not JSON, at character 6'],
  ['nul', 'is not JSON, at character 1'],
  [String.raw`{"a\x":1}`, 'is not a name, at character 7'],
  ['{"data":[{"a":]}]}', 'which ends at character 15'],
  ['[', 'it ends in the middle of its JSON'],
  ['{"data":["a', 'it ends in the middle of its JSON'],
  ['{"data":[{"a":1}', 'it ends in the middle of its JSON'],
]
for (const [text, words] of broken) {
  test(`JSON items: ${text} ${words}, wherever a piece ends`, () => {
    eachCut(text, (cut) =>
      assert.throws(
        () => itemsIn(text, 'data', cut),
        (error) => error instanceof FormatError && error.message.endsWith(words),
        `cut at ${cut}`,
      ),
    )
  })
}

test('JSON items: an error quotes forty characters', () => {
  assert.throws(() => itemsIn(`{"data":[1}${'x'.repeat(50)}`), {
    message: `"}${'x'.repeat(39)}" closes what is not open, at character 11`,
  })
})

test('JSON items: an item has 32 Mi characters at most, whatever came before it', () => {
  const half = 'x'.repeat(longestItem / 2)
  const read = (last: string) => {
    const parser = parseJsonItems('data')
    for (const piece of ['{"other":1,"data":["a", "', half, half.slice(1), last]) parser.read(piece)
  }
  assert.doesNotThrow(() => read(''))
  assert.throws(() => read('x'), { message: 'one item is longer than 33554432 characters' })
})
