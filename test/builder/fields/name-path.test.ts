/** A path of names and the line that a person reads and types. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { namesFrom, namesIn, textOfNames } from '../../../src/builder/fields/name-path.ts'

describe('a path of names is one line', () => {
  const lines: [names: string[], text: string][] = [
    [[], ''],
    [['data', 'items'], 'data.items'],
    [['odata.next', 'link'], '"odata.next".link'],
    [['@odata.nextLink'], '"@odata.nextLink"'],
    [['say "hi"', 'back\\slash'], '"say \\"hi\\"".back\\slash'],
    [['', 'x'], '"".x'],
    [[' spaced '], '" spaced "'],
    [['two words'], 'two words'],
    [['{{ config.list }}', 'items'], '{{ config.list }}.items'],
    [["{{ config['a.b'] }}s"], "{{ config['a.b'] }}s"],
    [['*', '0', 'ключ'], '*.0.ключ'],
    [['…', '🌿.🍃'], '…."🌿.🍃"'],
  ]
  for (const [names, text] of lines) {
    test(`${JSON.stringify(names)} is ${text || 'nothing'}`, () => {
      assert.equal(textOfNames(names), text)
      assert.deepEqual(namesFrom(text), names)
    })
  }
})

test('a dot that was just typed asks for a name and is none', () => {
  assert.deepEqual(namesFrom('data.'), ['data'])
  assert.deepEqual(namesFrom('.'), [])
  assert.deepEqual(namesFrom('a..b'), ['a', 'b'])
})

test('a quote that is not closed yet takes the rest', () => {
  assert.deepEqual(namesFrom('"odata.ne'), ['odata.ne'])
  assert.deepEqual(namesFrom('data."a.b'), ['data', 'a.b'])
})

test('spaces around names are dropped', () => {
  assert.deepEqual(namesFrom(' data . items '), ['data', 'items'])
})

test('every path survives being shown and read back', () => {
  const letters = ['a', '.', '"', '\\', ' ', '{{', '}}', '\n', 'é']
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % below
  }
  for (let round = 0; round < 3000; round++) {
    const names = Array.from({ length: 1 + random(3) }, () =>
      Array.from({ length: random(5) }, () => letters[random(letters.length)]).join(''),
    )
    assert.deepEqual(namesFrom(textOfNames(names)), names, JSON.stringify(names))
  }
})

test('manifests write a path as a list, as one name, or in a way that no line shows', () => {
  assert.deepEqual(namesIn(['data', 0]), ['data', '0'])
  assert.deepEqual(namesIn('data'), ['data'])
  assert.deepEqual(namesIn(undefined), [])
  assert.equal(namesIn([['a'], ['b']]), null)
  assert.equal(namesIn({ a: 1 }), null)
})
