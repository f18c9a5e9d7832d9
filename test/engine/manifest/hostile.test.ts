import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkManifest } from '../../../src/engine/manifest/check.ts'
import { treeOf } from '../../../src/document/tree-of.ts'
import { objectAt } from './node-at.ts'

const head = 'version: "1"\ncheck: {stream_names: []}\nstreams: []\n'

const many = (count: number, one: (index: number) => string, separator = '\n') =>
  Array.from({ length: count }, (_, index) => one(index)).join(separator)

/** Each level holds the one below ten times. */
const laughs = (
  open: (name: string, members: string) => string,
  one: (name: string, index: number) => string,
  levels = 12,
): string =>
  Array.from({ length: levels }, (_, level) => {
    const members = Array.from({ length: 10 }, (__, index) => one(`l${level - 1}`, index))
    return open(`l${level}`, level === 0 ? 'lol' : members.join(', '))
  }).join('\n')

const circular: Record<string, unknown> = { version: '1' }
circular.streams = [circular]

let deep: Record<string, unknown> = {}
for (let level = 0; level < 10_000; level++) deep = { deep }

const rows: [string, string | object, string][] = [
  ['ten thousand brackets', '['.repeat(10_000), 'manifest/syntax'],
  ['ten thousand levels of flow', `{a: ${'{a: '.repeat(10_000)}1${'}'.repeat(10_000)}}`, 'manifest/syntax'],
  [
    'ten thousand levels of block',
    Array.from({ length: 2000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
    'manifest/syntax',
  ],
  ['ten thousand levels of JSON', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 'manifest/syntax'],
  [
    'a billion laughs by alias',
    `${head}definitions:\n${laughs(
      (name, members) => `  ${name}: &${name} [${members}]`,
      (name) => `*${name}`,
    )}`,
    'manifest/too-large',
  ],
  [
    'a billion laughs by reference',
    `${head}definitions:\n${laughs(
      (name, members) => `  ${name}: [${members}]`,
      (name) => `{$ref: "#/definitions/${name}"}`,
    )}`,
    'manifest/too-large',
  ],
  [
    'a billion laughs by parameters',
    `${head}definitions:\n${laughs(
      (name, members) => `  ${name}: {type: ${name}, $parameters: {${name}p: 1}, c: [${members}]}`,
      (name) => `{$ref: "#/definitions/${name}", $parameters: {q: ${name}}}`,
    )}`,
    'manifest/too-large',
  ],
  [
    'copies by parameters, within the bound on values',
    `${head}definitions:\n${laughs(
      (name, members) => `  ${name}: {type: ${name}, $parameters: {${name}p: 1}, c: [${members}]}`,
      (name, index) => `{$ref: "#/definitions/${name}", $parameters: {q: ${index}}}`,
      7,
    )}`,
    'manifest/too-large',
  ],
  [
    'a long chain of references',
    `${head}definitions:\n${Array.from({ length: 5000 }, (_, index) => `  d${index}: {x: {$ref: "#/definitions/d${index + 1}"}}`).join('\n')}\n  d5000: 1`,
    'manifest/too-large',
  ],
  [
    'a deep chain of aliases',
    `${head}definitions:\n  d0: &d0 1\n${Array.from({ length: 5000 }, (_, index) => `  d${index + 1}: &d${index + 1} {x: *d${index}}`).join('\n')}`,
    'manifest/too-large',
  ],
  ['400,000 junk keys', `${head}${many(400_000, (index) => `k${index}: 1`)}`, 'manifest/too-large'],
  ['400,000 junk keys of JSON', `{${many(400_000, (index) => `"k${index}": 1`, ',')}}`, 'manifest/too-large'],
  ['two million values in a list', `[${'1,'.repeat(2_000_000)}1]`, 'manifest/too-large'],
  ['four million empty lines', '\n'.repeat(4_000_000), 'manifest/too-large'],
  ['nine million characters', `a: "${'x'.repeat(9_000_000)}"`, 'manifest/too-large'],
  [
    'an object with too many members',
    `${head}definitions:\n${many(10_001, (index) => `  k${index}: 1`)}`,
    'manifest/too-large',
  ],
  [
    'too many members by way of an object',
    { definitions: Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, 1])) },
    'manifest/too-large',
  ],
  [
    'too many values by way of an object',
    { definitions: Array.from({ length: 300_001 }, () => 1) },
    'manifest/too-large',
  ],
  [
    '100,000 streams',
    `version: "1"\ncheck: {stream_names: []}\nstreams:\n${many(100_000, (index) => `  - {type: DeclarativeStream, name: s${index}}`)}`,
    'manifest/too-large',
  ],
  ['thousands of problems', `${head}${many(9000, (index) => `k${index}: 1`)}`, 'manifest/too-large'],
  [
    'merges of a large object',
    `${head}definitions:\n  a: &a {${many(5000, (index) => `k${index}: 1`, ', ')}}\n${many(9000, (index) => `  b${index}: {<<: *a}`)}`,
    'manifest/too-large',
  ],
  [
    'parameters handed to thousands of components',
    `version: "1"\ncheck: {stream_names: []}\n$parameters: {${many(5000, (index) => `k${index}: 1`, ', ')}}\nstreams: [${many(2000, () => '{type: DeclarativeStream}', ', ')}]`,
    'manifest/too-large',
  ],
  ['an alias inside itself', 'a: &a [*a]', 'manifest/circular-reference'],
  [
    'binary garbage',
    Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 37) % 256)).toString('latin1'),
    'manifest/syntax',
  ],
  ['an archive', 'PK\u0003\u0004\u0014\0\0\0', 'manifest/syntax'],
  ['nothing', '', 'manifest/syntax'],
  ['only a BOM', '\uFEFF', 'manifest/syntax'],
  ['a list at the top', '- a\n- b', 'manifest/wrong-type'],
  ['a word at the top', 'hello', 'manifest/wrong-type'],
  ['a number at the top', '5', 'manifest/wrong-type'],
  ['null at the top', 'null', 'manifest/wrong-type'],
  ['an array handed over', [], 'manifest/wrong-type'],
  ['an object that contains itself', circular, 'manifest/circular-reference'],
  ['a deep object', deep, 'manifest/syntax'],
  ['a function inside', { version: '1', check: () => 1 }, 'manifest/syntax'],
  ['streams that are no list', `version: "1"\ncheck: {stream_names: x}\nstreams: 5`, 'manifest/wrong-type'],
  ['streams that are no objects', `version: "1"\ncheck: 7\nstreams: [1, null, [x], {}]`, 'manifest/wrong-type'],
  ['the top refers to nothing', '$ref: "#/x"', 'manifest/broken-reference'],
  ['the top refers to text', 'a: hello\n$ref: "#/a"', 'manifest/wrong-type'],
]

for (const [name, source, code] of rows) {
  // Most would take for ever, or all memory, if they were not bounded.
  test(`refused: ${name}`, () => {
    const { manifest, problems } = checkManifest(source, { file: 'bad.yaml' })
    assert.equal(manifest, null)
    assert.ok(
      problems.some((one) => one.code === code && one.severity === 'error'),
      JSON.stringify(problems.slice(0, 3)),
    )
    assert.ok(problems.every(({ at }) => at.file === 'bad.yaml'))
  })
}

test('keys that JavaScript knows are keys like any other', () => {
  const text = `${head}definitions:\n  __proto__: {polluted: true}\n  constructor: {prototype: {polluted: true}}\n  x: {$ref: "#/definitions/__proto__"}\n  y: "#/definitions/toString/name"\n`
  const { problems } = checkManifest(text)
  assert.deepEqual(
    problems.map(({ code }) => code),
    ['manifest/broken-reference'],
  )
  assert.equal('polluted' in {}, false)

  const { manifest } = checkManifest(`${head}__proto__: {type: x}\nmetadata: {__proto__: {a: 1}}`)
  const metadata = objectAt(manifest?.root, 'metadata')
  assert.equal(Object.getPrototypeOf(metadata), Object.prototype)
  assert.deepEqual(Object.keys(metadata), ['__proto__'])
})

test('types and fields with the names of inherited members are unknown', () => {
  const { problems } = checkManifest(`version: "1"\ncheck: {type: toString}\nstreams: []\nconstructor: 1`)
  assert.deepEqual(
    problems.map(({ code }) => code),
    ['manifest/unknown-component', 'manifest/unknown-field'],
  )
})

test('thousands of broken references are not all listed, nor compared with every name', () => {
  const text = `${head}definitions:\n${many(9000, (index) => `  a${index}: {$ref: "#/definitions/b${index}"}`)}`
  const { problems } = checkManifest(text)
  assert.equal(problems.length, 1000)
  assert.ok(problems.every(({ code }) => code === 'manifest/broken-reference'))
  assert.match(problems[0]?.hint ?? '', /a0/)
})

test('a document that is too large for the engine has no tree', () => {
  assert.equal(treeOf(`${head}${many(400_000, (index) => `k${index}: 1`)}`), null)
  const merges = `a: &a {${many(5000, (index) => `k${index}: 1`, ', ')}}\n${many(9000, (index) => `b${index}: {<<: *a}`)}`
  assert.equal(treeOf(merges), null)
})
