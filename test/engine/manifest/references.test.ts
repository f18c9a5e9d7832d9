import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseText } from '../../../src/engine/manifest/parse.ts'
import { lastOf } from '../../../src/engine/manifest/read-yaml.ts'
import { resolveReferences } from '../../../src/engine/manifest/references.ts'
import { nodeAt, objectAt } from './node-at.ts'

function resolve(text: string) {
  const { value, places } = parseText(text)
  const { root, problems } = lastOf(resolveReferences(objectAt(value), places))
  return { root, problems, places }
}

const rows: [string, string, unknown][] = [
  ['a text that starts with #/ is a reference', 'a: 1\nb: "#/a"', { a: 1, b: 1 }],
  ['$ref alone takes the whole object', 'a: {x: 1}\nb: {$ref: "#/a"}', { a: { x: 1 }, b: { x: 1 } }],
  [
    'sibling keys win, without merging deeper',
    'a: {x: {y: 1}, z: 2}\nb: {$ref: "#/a", x: {w: 3}}',
    { a: { x: { y: 1 }, z: 2 }, b: { x: { w: 3 }, z: 2 } },
  ],
  ['a target that is no object replaces the node', 'a: [1]\nb: {$ref: "#/a", x: 1}', { a: [1], b: [1] }],
  [
    'references lead to references',
    'a: 1\nb: "#/a"\nc: {d: "#/b"}\ne: {$ref: "#/c"}',
    { a: 1, b: 1, c: { d: 1 }, e: { d: 1 } },
  ],
  [
    'numbers are places in a list',
    'a: [{x: 1}, {x: 2}]\nb: "#/a/1/x"\nc: "#/a/-1/x"',
    { a: [{ x: 1 }, { x: 2 }], b: 2, c: 2 },
  ],
  ['the whole path as one key comes first', 'n: {p: 1}\nn/p: 2\nb: "#/n/p"', { n: { p: 1 }, 'n/p': 2, b: 2 }],
  ['a slash deeper down', 'n: {p/q: {r: 5}}\nb: "#/n/p/q"', { n: { 'p/q': { r: 5 } }, b: { r: 5 } }],
  [
    'config_overrides is left alone',
    'check: {config_overrides: {a: "#/nowhere"}}',
    { check: { config_overrides: { a: '#/nowhere' } } },
  ],
  ['a $ref that is no reference replaces the node', 'b: {$ref: other.json}', { b: 'other.json' }],
]

for (const [name, text, expected] of rows) {
  test(name, () => {
    const { root, problems } = resolve(text)
    assert.deepEqual(root, expected)
    assert.deepEqual(problems, [])
  })
}

test('what many refer to is shared, not copied', () => {
  const { root } = resolve('d: {big: {x: {type: object}}}\na: {$ref: "#/d/big"}\nb: {$ref: "#/d/big", y: 1}')
  assert.equal(nodeAt(root, 'a', 'x'), nodeAt(root, 'b', 'x'))
})

test('places follow the reference to the definition', () => {
  const { root, places } = resolve(
    'definitions:\n  pager:\n    size: 10\n  url: https://x\na:\n  $ref: "#/definitions/pager"\n  own: 1\nb: {$ref: "#/definitions/pager"}\nc: {url: "#/definitions/url"}',
  )
  assert.deepEqual(places.at(nodeAt(root, 'a'), 'size'), { pointer: '/definitions/pager/size', line: 3, column: 11 })
  assert.deepEqual(places.at(nodeAt(root, 'a'), 'own'), { pointer: '/a/own', line: 7, column: 8 })
  assert.equal(places.at(nodeAt(root, 'a')).pointer, '/a')
  assert.equal(places.at(nodeAt(root, 'b')).pointer, '/definitions/pager')
  assert.deepEqual(places.at(nodeAt(root, 'c'), 'url'), { pointer: '/definitions/url', line: 4, column: 8 })
})

test('a broken reference names the near miss, and all are reported', () => {
  const { problems } = resolve(
    'definitions:\n  pager: {x: 1}\na: "#/definitions/pagger/x"\nb: {$ref: "#/definitions/none"}\nc: "#/definition/pager"',
  )
  assert.deepEqual(
    problems.map(({ code, message, hint, at }) => [code, message, hint, at.line]),
    [
      [
        'manifest/broken-reference',
        '`#/definitions/pagger/x` points to nothing in this manifest.',
        'Did you mean `#/definitions/pager/x`?',
        3,
      ],
      [
        'manifest/broken-reference',
        '`#/definitions/none` points to nothing in this manifest.',
        'Point it at a place that exists in this manifest.',
        4,
      ],
      [
        'manifest/broken-reference',
        '`#/definition/pager` points to nothing in this manifest.',
        'Did you mean `#/definitions/pager`?',
        5,
      ],
    ],
  )
})

const circles: [string, string, RegExp][] = [
  ['through two definitions', 'd: {a: {$ref: "#/d/b"}, b: {x: {$ref: "#/d/a"}}}', /`#\/d\/b` → `#\/d\/a`/],
  ['into itself', 'd: {a: {x: {$ref: "#/d/a"}}}', /`#\/d\/a` contains it/],
  ['between texts', 'a: "#/b"\nb: "#/a"', /`#\/b` → `#\/a` → `#\/b`/],
  ['the whole manifest', 'a: {x: "#/"}', /`#\/` contains it/],
]

for (const [name, text, chain] of circles) {
  test(`a circle is named: ${name}`, () => {
    const { problems } = resolve(text)
    assert.equal(problems[0]?.code, 'manifest/circular-reference')
    assert.match(problems[0]?.message ?? '', chain)
  })
}
