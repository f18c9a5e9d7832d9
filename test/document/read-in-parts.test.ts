/** A text read part by part has the tree that reading it as a whole gives, or none: never another. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openAtOnce, openDocument, readAhead } from '../../src/document/open-document.ts'
import { readTree, readTreeInParts } from '../../src/document/read-tree.ts'
import type { SourceTree } from '../../src/document/source-tree.ts'
import { stringify } from 'yaml'
import { someOf } from '../helpers/proof.ts'

/** Null where it cannot be read in parts. */
function inParts(text: string, longest: number, isJson = false): { tree: SourceTree | null; steps: number } {
  const parts = readTreeInParts(text, isJson, longest)
  for (let steps = 0; ; steps++) {
    const { done, value } = parts.next()
    if (done === true) return { tree: value, steps }
  }
}

function whole(text: string): SourceTree | null {
  try {
    return readTree(text, false)
  } catch {
    return null
  }
}

test('public manifests', () => {
  let read = 0
  for (const file of readdirSync('test/manifests')) {
    const text = readFileSync(`test/manifests/${file}`, 'utf8')
    for (const longest of [0, 2000]) {
      const { tree, steps } = inParts(text, longest)
      if (tree === null) continue
      assert.deepEqual(tree, readTree(text, false), file)
      assert.ok(steps > 3)
      read++
    }
  }
  assert.ok(read > 20, `${read} were read in parts`)
})

test('public manifests in JSON', () => {
  for (const file of someOf(readdirSync('test/manifests'))) {
    const { root } = readTree(readFileSync(`test/manifests/${file}`, 'utf8'), false)
    for (const indent of [0, 2, '\t']) {
      const text = ` ${JSON.stringify(root?.value, null, indent)}\n`
      for (const longest of [0, 50, 2000]) {
        const { tree, steps } = inParts(text, longest, true)
        assert.deepEqual(tree, readTree(text, true), file)
        assert.ok(steps > 3 || text.length < longest)
      }
    }
  }
})

const strokes = [
  'x',
  ' ',
  '\n',
  '\n  ',
  ': ',
  '- ',
  '#',
  '"',
  "'",
  '{',
  '[',
  ']',
  '|',
  '|\n',
  '&a ',
  '&a x\n  z: *a',
  '*a',
  '!!str ',
  '<<: ',
  '---\n',
  '\n---\n',
  '%TAG ! x\n',
  '\t',
  '? ',
  '\r\n',
  '',
]

const texts = [
  '# first\na: 1\n\nb:\n  c: x # y\n  d:\n    - 1\n    - e: 2\n      f: |\n        - g\n\n        h: 1\n    - [i, {j: k}]\nl: "m\n  n: 1"\no: p\n',
  'a: # why\n- b\n- c: 1\n  d: >-\n    e\n\n# f\n\n- g\nh:\n  # i\n  j:\n    k: |\n      - l\n  m: n',
  'a:\r\n  b: 1\r\n  c: x y\r\n    z\r\nd:\r\n  - e\r\n  - f\r\n',
  '%YAML 1.2\n# a\n%TAG ! tag:b,2000:\n--- # c\nd: !!str 1\ne:\t2\nf:\n  - g\th\n  - i:\t\n  - |\n    j\n    \tk\n',
  'a:\n  "b\n  - c\n  d: e": 1\n  f: [\n  g, h]\n',
]

for (const [index, text] of texts.entries()) {
  test(`text ${index + 1}, and everything that typing makes of it`, () => {
    let read = 0
    for (let at = 0; at <= text.length; at++) {
      for (const stroke of strokes) {
        for (const over of [0, 2]) {
          const typed = text.slice(0, at) + stroke + text.slice(at + over)
          const { tree } = inParts(typed, 0)
          if (tree === null) continue
          assert.deepEqual(tree, whole(typed), JSON.stringify(typed))
          read++
        }
      }
    }
    assert.equal(read > 100, index !== 4)
  })
}

const long = stringify({
  streams: Array.from({ length: 900 }, (_, at) => ({ name: `s${at}`, note: 'x'.repeat(150), list: [1, { a: at }] })),
})
const never = { pause: () => Promise.resolve(true), findProblem: () => Promise.reject(new Error('not needed')) }

test('a long text is at hand once it was read ahead, and so is what is typed into it', async () => {
  assert.ok(long.length > 150_000)
  assert.equal(openAtOnce(long), null)
  let pauses = 0
  const pause = () => Promise.resolve(++pauses > 0)
  assert.equal(await readAhead(long, { ...never, pause }), true)
  assert.deepEqual(openAtOnce(long)?.value, openDocument(long).value)
  assert.equal(openAtOnce(long.replace('name: s500', 'name: renamed'))?.problem, null)
})

test('a long text that cannot be read is said to be so elsewhere, once', async () => {
  const broken = `${long}oops\n`
  assert.equal(openAtOnce(broken), null)
  const problem = { message: 'This line is no member.', line: 7, column: 1 }
  assert.equal(await readAhead(broken, { ...never, findProblem: () => Promise.resolve(problem) }), true)
  assert.deepEqual(openAtOnce(broken), { text: broken, value: null, problem })
})

test('a long text that was typed is read only if it can be read', async () => {
  const broken = `${long}typed\n`
  const pause = () => Promise.reject(new Error('nothing is read'))
  const problem = { message: 'This line is no member.', line: 7, column: 1 }
  assert.equal(await readAhead(broken, { pause, findProblem: () => Promise.resolve(problem), isTyped: true }), true)
  assert.deepEqual(openAtOnce(broken), { text: broken, value: null, problem })
  const other = long.replaceAll('name: s', 'name: u')
  const findProblem = () => Promise.resolve(null)
  assert.equal(await readAhead(other, { ...never, findProblem, isTyped: true }), true)
  assert.deepEqual(openAtOnce(other)?.value, openDocument(other).value)
})

test('reading ahead ends when its result is not needed', async () => {
  const other = long.replaceAll('name: s', 'name: t')
  let left = 1
  const slow = async () => left-- > 0
  const isRead = await readAhead(other, { ...never, pause: slow })
  assert.equal(isRead || openAtOnce(other) === null, true)
})
