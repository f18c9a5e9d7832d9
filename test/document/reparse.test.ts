/** Reading around a change only gives the tree that reading everything gives, whatever is typed. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { addStream, duplicateStream, moveStream, removeStream } from '../../src/document/edit-streams.ts'
import { openDocument } from '../../src/document/open-document.ts'
import { isJson } from '../../src/engine/manifest/read-yaml.ts'
import { readTree } from '../../src/document/read-tree.ts'
import { type StreamPlace, streamsIn } from '../../src/document/stream-paths.ts'
import { reparse } from '../../src/document/tree-of.ts'
import { valueAt } from '../../src/document/value-path.ts'
import { isWhole, partOf, someOf } from '../helpers/proof.ts'

/** What people type, and what breaks things. */
const strokes = JSON.parse(String.raw`[
  "x", " ", "\n", "\n  ", ":", ": ", "- ", "#", " # c", "\"", "'", "{", "}", "[", "]", ",", "|", ">", "|\n", "&a ", "*a",
  "---", "\n---\n", "\n...\n", "%", "!!str ", "? ", "\t", "\r\n", "<<: ", "a: 1\n", "  b: 2\n", "- c\n", "\uFEFF", ""
]`) as string[]

function assertSameTree(before: string, after: string): boolean {
  const near = reparse(readTree(before, false), after)
  if (near === null) return false
  assert.deepEqual(near, readTree(after, false), JSON.stringify({ before, after }))
  return true
}

/**
 * Every keystroke at every position, and over the two characters after it; by default each at every fourth position, from
 * another one on for the next keystroke.
 */
function typeEverywhere(text: string): { near: number; all: number } {
  const count = { near: 0, all: 0 }
  for (let at = 0; at <= text.length; at++) {
    for (const [turn, stroke] of strokes.entries()) {
      if (!isWhole && (at + turn) % 4 !== 0) continue
      for (const over of [0, 2]) {
        const after = text.slice(0, at) + stroke + text.slice(at + over)
        if (after === text) continue
        count.all++
        if (assertSameTree(text, after)) count.near++
      }
    }
  }
  return count
}

const texts = [
  'a: 1\nb:\n  c: x # y\n  d:\n    - 1\n    - e: 2\n      f: |\n        g\n\n        h\n    - [i, {j: k}]\nl: "m\n  n"\no: p\n',
  'a:\n- b\n- c: 1\n  d: >-\n    e\n\n# f\n\n- g\nh:\n  # i\n  j: &k 1\n',
  'a: &a\n  b: 1\n  c: [2]\nd:\n  <<: *a\n  e:\n    - f\n    - g: 3\nh:\n  i: *a\n  j: x\nk: l\n',
  '# a\na:\n  b:\n\n  c: |+\n    d\n\n\n  e: f\n  g: h\n\ni: j',
  'a: &x\n  b: &y [1]\n  c: *y\nd: &x 2\ne:\n  <<: [{f: 1}, {g: *x}]\n  h: &z\n    - *x\n    - i: *y\nj: *z\n',
  '%YAML 1.2\n%TAG ! tag:b,2000:\n--- # c\nd: !!str 1\ne:\n  - &f g\n  - h: *f\n',
  'a:\r\n  b: 1\r\n  c: x y\r\n    z\r\nd:\r\n  - e\r\n  - f\r\n',
]

for (const [index, text] of texts.entries()) {
  test(`anything typed anywhere into text ${index + 1}`, () => {
    const { near, all } = typeEverywhere(text)
    assert.ok(all > partOf(3000))
    assert.ok(near > 0)
  })
}

/** The tree of what may be JSON no more. */
function readAsWritten(text: string) {
  try {
    return readTree(text, isJson(text))
  } catch {
    return null
  }
}

test('anything typed anywhere into JSON', () => {
  const text = JSON.stringify(
    { a: [1, -2.5e3, true, null, 'x "y" \\ {z'], 'b,c': { d: {}, e: [], f: [[{ g: 'h' }], 'i'] }, a2: 12 },
    null,
    1,
  )
  const tree = readTree(text, true)
  let near = 0
  for (const [turn, stroke] of ['x', '1', ' ', '"', '\\', ',', ':', '{}', '[', ']', '"k": 1,', '\n', ''].entries()) {
    for (let at = 0; at <= text.length; at++) {
      if (!isWhole && (at + turn) % 2 !== 0) continue
      for (const over of [0, 1, 5]) {
        const after = text.slice(0, at) + stroke + text.slice(at + over)
        const read = after === text ? null : reparse(tree, after, text.length)
        if (read === null) continue
        near++
        assert.deepEqual(read, readAsWritten(after), after)
      }
    }
  }
  assert.ok(near > 300, `${near} were read near their place`)
})

/** Every run of up to four lines: removed, written again after any other line, moved there, and an empty line after each. */
function moveLinesEverywhere(text: string): { near: number; all: number } {
  const count = { near: 0, all: 0 }
  const lines = text.split(/(?<=\n)/)
  const tryText = (changed: readonly string[]) => {
    const after = changed.join('')
    if (after === text) return
    count.all++
    if (assertSameTree(text, after)) count.near++
  }
  for (let from = 0; from < lines.length; from++) {
    tryText(lines.toSpliced(from, 0, '\n'))
    for (let length = 1; length <= 4; length++) {
      const run = lines.slice(from, from + length)
      const rest = lines.toSpliced(from, length)
      tryText(rest)
      for (let to = 0; to <= lines.length; to++) {
        tryText(lines.toSpliced(to, 0, ...run))
        tryText(rest.toSpliced(to, 0, ...run))
      }
    }
  }
  return count
}

for (const [index, text] of texts.entries()) {
  test(`lines that come, go or change places in text ${index + 1}`, () => {
    const { near, all } = moveLinesEverywhere(text)
    assert.ok(all > 300)
    assert.ok(near > all / 40, `${near} of ${all}`)
  })
}

test('in public manifests, a stream that is added, copied, moved or removed is read near its place', () => {
  const count = { near: 0, all: 0 }
  for (const file of someOf(readdirSync('test/manifests'))) {
    const text = readFileSync(`test/manifests/${file}`, 'utf8')
    const tree = readTree(text, false)
    const streams = streamsIn(tree.root?.value)
    if (streams.length < 3) continue
    const { path } = streams[1] as StreamPlace
    for (const after of [
      addStream(text, { type: 'DeclarativeStream', name: 'added' }),
      duplicateStream(text, path, 'copied'),
      moveStream(text, path, 2),
      removeStream(text, path),
    ]) {
      count.all += 2
      count.near += Number(assertSameTree(text, after)) + Number(assertSameTree(after, text))
    }
  }
  // Some of these edits also change a definition, or the streams of the check, far away: each of their steps is near.
  assert.ok(count.all > 10 && count.near > 0.7 * count.all, `${count.near} of ${count.all}`)
})

test('in public manifests, a value that is typed is read near its place', () => {
  for (const file of readdirSync('test/manifests')) {
    const text = readFileSync(`test/manifests/${file}`, 'utf8')
    const places = [...text.matchAll(/^\s+[a-z_]+: (?=[\w"'])/gm)].map((found) => found.index + found[0].length)
    // By default every fourth of these, and the first of each manifest.
    for (const at of someOf(places.filter((_, index) => index % 40 === 0))) {
      assert.ok(
        assertSameTree(text, `${text.slice(0, at)}typed${text.slice(at)}`) || text[at] === '"' || text[at] === "'",
      )
    }
  }
})

test('what a change leaves alone stays the same object', () => {
  const before = 'a:\n  b: 1\n  c: {d: 1}\ne:\n  - f: 1\n  - g: 2\n'
  const one = openDocument(before).value
  const other = openDocument(before.replace('f: 1', 'f: 3')).value
  assert.equal(valueAt(one, ['a']), valueAt(other, ['a']))
  assert.equal(valueAt(one, ['e', 1]), valueAt(other, ['e', 1]))
  assert.deepEqual(valueAt(other, ['e', 0]), { f: 3 })
})

test('a change of what an alias repeats is read near its place, and what the alias repeats changes with it', () => {
  const before = 'a: &a\n  b: 1\n  c: 2\nd:\n  e: *a\n  f: {g: 1}\nh:\n  <<: *a\n  i: 3\nj: {k: 1}\n'
  const tree = readTree(before, false)
  const near = reparse(tree, before.replace('c: 2', 'c: typed'))?.root?.value
  assert.deepEqual(valueAt(near, ['d', 'e']), { b: 1, c: 'typed' })
  assert.deepEqual(valueAt(near, ['h']), { i: 3, b: 1, c: 'typed' })
  assert.equal(valueAt(near, ['d', 'e']), valueAt(near, ['a']))
  assert.equal(valueAt(near, ['d', 'f']), valueAt(tree.root?.value, ['d', 'f']))
  assert.equal(valueAt(near, ['j']), valueAt(tree.root?.value, ['j']))
})

test('a change that leaves an alias without its anchor is not read near its place', () => {
  const before = 'a: &a 1\nb:\n  c: *a\n  d: 2\n'
  const tree = readTree(before, false)
  assert.equal(reparse(tree, before.replace('&a ', '')), null)
  assert.equal(reparse(tree, before.replace('*a', '*other')), null)
  assert.equal(reparse(tree, before.replace('d: 2', '<<: *a')), null)
})
