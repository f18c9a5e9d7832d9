/** Edits of a text: what is wished is said, and nothing else changes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { insertItem, moveItem, removeIn, renameKey, setIn } from '../../src/document/edit.ts'
import { openDocument } from '../../src/document/open-document.ts'
import { Float } from '../../src/std/json.ts'

type Row = [name: string, before: string, edit: (text: string) => string, after: string]

const rows: Row[] = [
  // One value for another
  ['a value keeps its comment', 'a: 1 # why\nb: 2\n', (t) => setIn(t, ['a'], 7), 'a: 7 # why\nb: 2\n'],
  ['a text keeps its single quotes', "a: 'x'\n", (t) => setIn(t, ['a'], "it's"), "a: 'it''s'\n"],
  ['a text keeps its double quotes', 'a: "x"\n', (t) => setIn(t, ['a'], 'y'), 'a: "y"\n'],
  [
    'double quotes give way where they would have to be escaped',
    'a: "x"\nb: "x"\n',
    (t) => setIn(setIn(t, ['a'], '{{ r["k"] }}'), ['b'], `it's "b"`),
    `a: '{{ r["k"] }}'\nb: "it's \\"b\\""\n`,
  ],
  ['a number takes no quotes from the text before it', 'a: "1"\n', (t) => setIn(t, ['a'], 1), 'a: 1\n'],
  ['blanks before a value stay', 'a:    1\n', (t) => setIn(t, ['a'], 2), 'a:    2\n'],
  ['a value on the line below stays there', 'a:\n  "x" # c\n', (t) => setIn(t, ['a'], 'y'), 'a:\n  "y" # c\n'],
  ['a key without a value gets one', 'a: # why\nb: 1\n', (t) => setIn(t, ['a'], 1), 'a: 1 # why\nb: 1\n'],
  ['setting what is there changes no byte', "a:   'x'  # c", (t) => setIn(t, ['a'], 'x'), "a:   'x'  # c"],
  ['a tag goes with its value', 'a: !!str 5\n', (t) => setIn(t, ['a'], 5), 'a: 5\n'],
  ['null is written out', 'a: 1\n', (t) => setIn(t, ['a'], null), 'a: null\n'],
  ['a whole float stays a float', 'a: 1\n', (t) => setIn(t, ['a'], new Float(2)), 'a: 2.0\n'],
  ['an exponent gets the dot that YAML 1.1 wants', 'a: 1\n', (t) => setIn(t, ['a'], 1e-7), 'a: 1.0e-7\n'],
  ['long integers keep their digits', 'a: 1\n', (t) => setIn(t, ['a'], 2n ** 70n), 'a: 1180591620717411303424\n'],

  // Values over several lines
  [
    'a literal text stays literal, and the empty line below it stays',
    'a: |\n  one\n  two\n\nb: 1\n',
    (t) => setIn(t, ['a'], 'three\nfour\n'),
    'a: |\n  three\n  four\n\nb: 1\n',
  ],
  [
    'a literal text that loses its last line end says so',
    'a: | # c\n  x\nb: 1\n',
    (t) => setIn(t, ['a'], 'y'),
    'a: |- # c\n  y\nb: 1\n',
  ],
  ['a folded text stays folded', 'a: >\n  x\n  y\n', (t) => setIn(t, ['a'], 'long line\n'), 'a: >\n  long line\n'],
  [
    'a template over several lines becomes a block, its comment stays',
    'a: x # c\nb: 1\n',
    (t) => setIn(t, ['a'], '{% if x %}\n  y\n{% endif %}\n'),
    'a: | # c\n  {% if x %}\n    y\n  {% endif %}\nb: 1\n',
  ],
  [
    'a text in quotes that gets more lines becomes a block, with tabs and blanks in it too',
    'a: "" # c\nb: \'x\'\nc:\n  - "x\\ny"\n',
    (t) => setIn(setIn(setIn(t, ['a'], 'query {\n\tx\n}'), ['b'], 'x \n\n  y\n'), ['c', 0], 'x\nz'),
    'a: |- # c\n  query {\n  \tx\n  }\nb: |\n  x \n\n    y\nc:\n  - |-\n    x\n    z\n',
  ],
  [
    'a text that starts with blanks stays in quotes, and so does one between brackets',
    'a: "x"\nb: {c: "x"}\n',
    (t) => setIn(setIn(t, ['a'], ' x\ny'), ['b', 'c'], 'x\ny'),
    'a: " x\\ny"\nb: {c: "x\\ny"}\n',
  ],
  ['a block text becomes a number', 'a: | # c\n  x\n  y\nb: 1\n', (t) => setIn(t, ['a'], 5), 'a: 5 # c\nb: 1\n'],
  [
    'a key after a string that keeps its empty lines leaves them to it',
    'a:\n  b: |+\n    x\n\n\nc: 1\n',
    (t) => setIn(t, ['a', 'd'], 1),
    'a:\n  b: |+\n    x\n\n\n  d: 1\nc: 1\n',
  ],

  // New members
  [
    'a new key goes to the end of its map',
    'a:\n    b: 1\nc: 2\n',
    (t) => setIn(t, ['a', 'd'], 3),
    'a:\n    b: 1\n    d: 3\nc: 2\n',
  ],
  ['a text without a last line end gets none', 'a: 1', (t) => setIn(t, ['b'], 2), 'a: 1\nb: 2'],
  [
    'a new key comes before comments that follow',
    'a: 1 # x\n\n# end\n',
    (t) => setIn(t, ['b'], 2),
    'a: 1 # x\nb: 2\n\n# end\n',
  ],
  ['missing parents are made', 'a: 1\n', (t) => setIn(t, ['b', 'c', 0, 'd'], 'x'), 'a: 1\nb:\n  c:\n    - d: x\n'],
  [
    'a comment stays where a map takes the place of null',
    'a:  # why\nb: 1\n',
    (t) => setIn(t, ['a', 'x'], 2),
    'a:  # why\n  x: 2\nb: 1\n',
  ],
  ['an empty map opens into a block', 'a: {} # c\n', (t) => setIn(t, ['a', 'x'], 2), 'a: # c\n  x: 2\n'],
  [
    'an empty map between brackets stays between brackets',
    'a: [{}]\n',
    (t) => setIn(t, ['a', 0, 'x'], 2),
    'a: [{x: 2}]\n',
  ],
  ['maps between brackets stay so', 'a: { b: 1 }\n', (t) => setIn(t, ['a', 'c'], 'x, y'), 'a: { b: 1, c: "x, y" }\n'],
  [
    'quoted keys have quoted neighbours',
    'a: {"b": "x"}\n',
    (t) => setIn(t, ['a', 'c'], 'y'),
    'a: {"b": "x", "c": "y"}\n',
  ],
  [
    'the indentation of the author is learned',
    'a:\n    b:\n    - 1\n',
    (t) => setIn(t, ['c'], { d: [1], e: { f: 1 } }),
    'a:\n    b:\n    - 1\nc:\n    d:\n    - 1\n    e:\n        f: 1\n',
  ],
  [
    'keys that are no plain text are quoted',
    'a: 1\n',
    (t) => setIn(t, ['yes'], { 'a: b': 1, '#x': 2 }),
    'a: 1\n"yes":\n  "a: b": 1\n  "#x": 2\n',
  ],
  [
    'members that are undefined are left out',
    'a: 1\n',
    (t) => setIn(t, ['b'], { c: undefined, d: 1 }),
    'a: 1\nb:\n  d: 1\n',
  ],
  [
    'a map takes the place of a value',
    'a: 1 # c\nb: 2\n',
    (t) => setIn(t, ['a'], { x: [] }),
    'a: # c\n  x: []\nb: 2\n',
  ],
  [
    'a value takes the place of a map',
    'a: # c\n  x: 1 # d\n  y: 2\nb: 2\n',
    (t) => setIn(t, ['a'], 1),
    'a: 1 # c\nb: 2\n',
  ],
  ['a list takes the place of a map', 'a:\n  x: 1\nb: 2\n', (t) => setIn(t, ['a'], [1]), 'a:\n  - 1\nb: 2\n'],
  [
    'of an object only what differs is written',
    'a:\n  # one\n  x: 1 # stays\n  y: {k: v}\n  z: 3\n',
    (t) => setIn(t, ['a'], { x: 1, y: { k: 'w' }, m: null }),
    'a:\n  # one\n  x: 1 # stays\n  y: {k: w}\n  m: null\n',
  ],

  // Removing
  ['a key goes with its line', 'a: 1\nb: 2 # c\nc: 3\n', (t) => removeIn(t, ['b']), 'a: 1\nc: 3\n'],
  [
    'the comment above a key stays',
    'a: 1\n# about b\nb: 2\nc: 3\n',
    (t) => removeIn(t, ['b']),
    'a: 1\n# about b\nc: 3\n',
  ],
  ['the last key of a text without a last line end', 'a: 1\nb: 2', (t) => removeIn(t, ['b']), 'a: 1'],
  [
    'the only key leaves an empty map, not null',
    'a:\n  # note\n  b: 1 # t\nc: 2\n',
    (t) => removeIn(t, ['a', 'b']),
    'a: {}\n  # note\nc: 2\n',
  ],
  ['the only item leaves an empty list', 'a:\n- 1\nb: 2\n', (t) => removeIn(t, ['a', 0]), 'a: []\nb: 2\n'],
  ['the only key of all', 'a: 1\n', (t) => removeIn(t, ['a']), '{}\n'],
  ['the key next to a dash', '- a: 1\n  b: 2\n', (t) => removeIn(t, [0, 'a']), '- b: 2\n'],
  [
    'the key next to a dash, before a comment',
    '- a: 1\n  # c\n  b: 2\n',
    (t) => removeIn(t, [0, 'a']),
    '- \n  # c\n  b: 2\n',
  ],
  ['the first between brackets', 'a: {b: 1, c: 2}\n', (t) => removeIn(t, ['a', 'b']), 'a: {c: 2}\n'],
  ['the last between brackets', 'a: [1, 2, 3]\n', (t) => removeIn(t, ['a', 2]), 'a: [1, 2]\n'],
  ['what is not there', 'a: 1\n', (t) => removeIn(t, ['b', 'c']), 'a: 1\n'],
  [
    'empty lines around what is removed stay',
    'a: |\n  x\n\nb: 1\n\nc: 2\n',
    (t) => removeIn(t, ['a']),
    '\nb: 1\n\nc: 2\n',
  ],

  // Lists
  [
    'an item before the first, at the dash of the others',
    'a:\n- x: 1\n  y: 2\n',
    (t) => insertItem(t, ['a'], 0, { x: 0 }),
    'a:\n- x: 0\n- x: 1\n  y: 2\n',
  ],
  [
    'an item in the middle',
    'a:\n  - 1 # one\n  - 3\n',
    (t) => insertItem(t, ['a'], 1, 2),
    'a:\n  - 1 # one\n  - 2\n  - 3\n',
  ],
  [
    'an item at the end',
    'a:\n  -   x\n',
    (t) => insertItem(t, ['a'], 1, { b: 1, c: 2 }),
    'a:\n  -   x\n  -   b: 1\n      c: 2\n',
  ],
  ['an item for a list that is not there', 'a: 1\n', (t) => insertItem(t, ['b'], 0, 'x'), 'a: 1\nb:\n  - x\n'],
  ['an item for an empty list', 'a: []\n', (t) => insertItem(t, ['a'], 0, 'x'), 'a:\n  - x\n'],
  ['an item in the quotes of the others', "a: ['x']\n", (t) => insertItem(t, ['a'], 1, 'y'), "a: ['x', 'y']\n"],
  ['an item of a list in a list', '- - 1\n  - 2\n', (t) => insertItem(t, [0], 0, 0), '- - 0\n  - 1\n  - 2\n'],
  [
    'an item moves with the comment above it',
    'a:\n  # one\n  - 1\n  # two\n  - 2 # t\n  - 3',
    (t) => moveItem(t, ['a'], 1, 0),
    'a:\n  # two\n  - 2 # t\n  # one\n  - 1\n  - 3',
  ],
  [
    'the last item moves to the front of a text without a last line end',
    'a:\n  - 1\n  - b: 2\n    c: 3',
    (t) => moveItem(t, ['a'], 1, 0),
    'a:\n  - b: 2\n    c: 3\n  - 1',
  ],
  ['an item between brackets moves', 'a: [1,  2, 3]\n', (t) => moveItem(t, ['a'], 0, 2), 'a: [2,  3, 1]\n'],
  [
    'of a list only the middle is written',
    'a:\n  - 1 # x\n  - 2 # y\n  - 3 # z\n',
    (t) => setIn(t, ['a'], [1, 4, 5, 3]),
    'a:\n  - 1 # x\n  - 4 # y\n  - 5\n  - 3 # z\n',
  ],
  [
    'a list that grows shorter in its middle',
    'a:\n  - 1 # x\n  - 2 # y\n  - 3 # z\n',
    (t) => setIn(t, ['a'], [1, 3]),
    'a:\n  - 1 # x\n  - 3 # z\n',
  ],

  // Keys
  [
    'a key takes another name in its quotes',
    "a:\n  'b c': 1 # x\n",
    (t) => renameKey(t, ['a', 'b c'], 'd'),
    "a:\n  'd': 1 # x\n",
  ],
  ['a key that takes a name with a meaning is quoted', 'b: 1\n', (t) => renameKey(t, ['b'], 'null'), '"null": 1\n'],
  ['a key that is not there takes no name', 'b: 1\n', (t) => renameKey(t, ['c'], 'd'), 'b: 1\n'],

  // Kinds of text
  ['an empty text', '', (t) => setIn(t, ['a'], 1), 'a: 1\n'],
  ['a text of comments', '# hello', (t) => setIn(t, ['a'], 1), '# hello\na: 1\n'],
  ['after the start of a document', '---\n', (t) => setIn(t, ['a'], 1), '---\na: 1\n'],
  ['before the end of a document', '---\na: 1\n...\n', (t) => setIn(t, ['b'], 2), '---\na: 1\nb: 2\n...\n'],
  [
    'lines that end as on Windows',
    'a: 1\r\nb:\r\n  c: |\r\n    x\r\n',
    (t) => setIn(t, ['b', 'd'], 'y\nz'),
    'a: 1\r\nb:\r\n  c: |\r\n    x\r\n  d: |-\r\n    y\r\n    z\r\n',
  ],
  ['a byte order mark', '\uFEFFa: 1\n', (t) => setIn(t, ['a'], 2), '\uFEFFa: 2\n'],
  ['a tab before a comment', 'a: 1\t# c\n', (t) => setIn(t, ['a'], 2), 'a: 2\t# c\n'],
  [
    'JSON with its indentation',
    '{\n\t"a": 1\n}\n',
    (t) => setIn(t, ['b'], { c: [1], d: 'yes' }),
    '{\n\t"a": 1,\n\t"b": {\n\t\t"c": [\n\t\t\t1\n\t\t],\n\t\t"d": "yes"\n\t}\n}\n',
  ],
  ['JSON on one line', '{"a":1}', (t) => setIn(t, ['b'], [1, { c: 'x' }]), '{"a":1,"b":[1,{"c":"x"}]}'],
  ['JSON that loses a member', '{\n  "a": 1,\n  "b": {"x": 1}\n}', (t) => removeIn(t, ['a']), '{\n  "b": {"x": 1}\n}'],
  ['JSON that loses the last member', '{\n  "a": 1,\n  "b": {"x": 1}\n}', (t) => removeIn(t, ['b']), '{\n  "a": 1\n}'],
  ['JSON that loses all', '{\n  "a": 1\n}', (t) => removeIn(t, ['a']), '{}'],
  ['JSON has its own numbers', '{"a": 1}', (t) => setIn(t, ['a'], 1e-7), '{"a": 1e-7}'],

  // Anchors
  [
    'a change below an alias writes a copy in its place',
    'a: &x\n  b: 1\nc: *x # c\n',
    (t) => setIn(t, ['c', 'b'], 2),
    'a: &x\n  b: 1\nc: # c\n  b: 2\n',
  ],
  [
    'a change below an anchor leaves what its alias means',
    'a: &x\n  b: 1 # c\nc: *x\n',
    (t) => setIn(t, ['a', 'b'], 2),
    'a: &x\n  b: 2 # c\nc:\n  b: 1\n',
  ],
  [
    'aliases of other anchors stay',
    'a: &x {b: 1}\nc: *x\nd: &y 1\ne: *y\n',
    (t) => setIn(t, ['a', 'b'], 2),
    'a: &x {b: 2}\nc:\n  b: 1\nd: &y 1\ne: *y\n',
  ],
  [
    'an anchor that is removed leaves its value to its alias',
    'a: &x\n  b: 1\nc: *x\n',
    (t) => removeIn(t, ['a']),
    'c:\n  b: 1\n',
  ],
  [
    'a member that `<<` brings in is overridden',
    'a: &x\n  b: 1\nc:\n  <<: *x\n',
    (t) => setIn(t, ['c', 'b'], 2),
    'a: &x\n  b: 1\nc:\n  <<: *x\n  b: 2\n',
  ],
  [
    'a member that `<<` brings in is removed',
    'a: &x\n  b: 1\n  d: 2\nc:\n  <<: *x\n',
    (t) => removeIn(t, ['c', 'b']),
    'a: &x\n  b: 1\n  d: 2\nc:\n  d: 2\n',
  ],

  // Spellings few people use
  ['a key written with a question mark', '? a\n: b\nc: 1 # x\n', (t) => setIn(t, ['c'], 2), '? a\n: b\nc: 2 # x\n'],
  ['a name twice: the last one counts', 'a: 1\na: 2\n', (t) => setIn(t, ['a'], 3), 'a: 1\na: 3\n'],
  ['`__proto__` is a name like others', 'a: 1\n', (t) => setIn(t, ['__proto__', 'x'], 1), 'a: 1\n__proto__:\n  x: 1\n'],
]

for (const [name, before, edit, after] of rows) {
  test(name, () => {
    assert.equal(edit(before), after)
    assert.equal(openDocument(after).problem, null)
  })
}

/** As JSON, so that what cannot be seen is spelled out. */
const words = JSON.parse(String.raw`[
  "yes", "No", "on", "y", "N", "true", "null", "~", "", " ", "1", "1.0", ".5", "+1", "1e5", "1_000", "0o7", "0x1f",
  "12:30:00", "2020-01-01", "2020-01-01T00:00:00Z", ".inf", ".nan", "=", "<<", "{{ config.x }}", "{% if x %}", "# x",
  "a #b", "a: b", "x:", "-", "-x", "- a", "?", "? a", ":", ":a", "@x", "*x", "&x", "!x", "%x", "|", ">", "[a]", "a, b",
  "\"q\"", "it's", "\"it's\"", "back\\slash", " lead", "trail ", "tab\t", "\ttab", "a\tb", "a\nb", "a\nb\n", "a\n\n\n",
  "\n", "\na", " a\nb", "a\n b", "a \nb", "a\n\tb", "a\n  ", "a\n\t\n", "a\n\n b\n", "a\r\nb", "é", "🙂", "\u2028", "\u0085", "\uFEFF", "\u0000",
  "\u007F", "\u00A0", "---", "--- a", "...", "6.1.0", "a:b", "http://x.y/z?a=b#c", "/v1/{{ config['x'] }}",
  "{{ {'a': 1} }}", "a, {b", "0 0 * * *", "10_000", "~x", "null x", "x\n---\ny\n", "#/definitions/x"
]`) as string[]

test('any text stays that text, wherever it is written', () => {
  for (const word of words) {
    for (const before of [
      'a: 1\n',
      "a: 'x'\n",
      'a: "x"\n',
      'a: |\n  x\n',
      '{a: 1}\n',
      '{"a": 1}\n',
      'a: >-\n  x\n  y\n',
    ]) {
      assert.deepEqual(openDocument(setIn(before, ['a'], word)).value, { a: word }, JSON.stringify(word))
    }
    assert.deepEqual(openDocument(setIn('a:\n- 1 # c\n- 2\n', ['a', 0], word)).value, { a: [word, 2] })
    assert.deepEqual(openDocument(setIn('a:\n- x: 1\n', ['a', 0], { [word]: word })).value, { a: [{ [word]: word }] })
  }
})

test('loaders of YAML 1.1 and of YAML 1.2 read the same text', () => {
  for (const word of words) {
    for (const before of ['a: 1\n', "a: 'x'\n", '{a: 1}\n', 'a:\n  - 1\n']) {
      const after = setIn(before, before.includes('-') ? ['a', 0] : ['a'], word)
      for (const version of ['1.1', '1.2'] as const) {
        const { a } = parse(after, { version }) as { a: unknown }
        assert.equal(Array.isArray(a) ? a[0] : a, word, after)
      }
    }
  }
})

test('a name that is taken is refused', () => {
  assert.throws(() => renameKey('a: 1\nb: 2\n', ['a'], 'b'), { code: 'manifest/duplicate-key' })
})

test('a text that cannot be read is not changed but refused', () => {
  assert.throws(() => setIn('a: "x\n', ['a'], 1), { code: 'manifest/syntax' })
})
