/** What the editor knows of YAML: which words are keys, where a fold ends, where the next line starts. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { foldable, getIndentation, IndentContext } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight'
import { yamlLanguage, yamlLines } from '../../../src/builder/yaml/yaml-language.ts'
import { readTree } from '../../../src/document/read-tree.ts'
import type { SourceNode } from '../../../src/document/source-tree.ts'
import { someOf } from '../../helpers/proof.ts'

const kinds = tagHighlighter([
  { tag: tags.propertyName, class: 'key' },
  { tag: tags.string, class: 'string' },
  { tag: tags.lineComment, class: 'comment' },
  { tag: tags.labelName, class: 'label' },
  { tag: tags.typeName, class: 'tag' },
])

function parts(text: string): { kind: string; from: number; to: number }[] {
  const found: { kind: string; from: number; to: number }[] = []
  highlightTree(yamlLines.parser.parse(text), kinds, (from, to, kind) => found.push({ kind, from, to }))
  return found
}

const wordsOf = (text: string) => parts(text).map(({ kind, from, to }) => `${kind} ${text.slice(from, to)}`)

test('in public manifests, exactly the keys look like keys', () => {
  for (const file of someOf(readdirSync('test/manifests'))) {
    const text = readFileSync(`test/manifests/${file}`, 'utf8')
    const keys: number[] = []
    const note = (node: SourceNode, start: number): void => {
      if (node.kind !== 'map' && node.kind !== 'list') return
      for (const { at, key, valueAt, node: inner } of node.entries) {
        if (key !== null) keys.push(start + at)
        note(inner, start + at + valueAt)
      }
    }
    const { root, start } = readTree(text, false)
    if (root !== null) note(root, start)
    const shown = parts(text).filter(({ kind }) => kind === 'key')
    assert.deepEqual(
      shown.map(({ from }) => from),
      keys,
      file,
    )
  }
})

test('strings over several lines, block text, marks and comments', () => {
  assert.deepEqual(wordsOf('a: "b: 1\n  c: 2" # d\n"e": \'f\'\'g\'\n'), [
    'key a',
    'string "b: 1',
    'string   c: 2"',
    'comment # d',
    'key "e"',
    "string 'f''g'",
  ])
  assert.deepEqual(wordsOf('a: |-\n  b: 1\n\n  # c\nd: &e !f {g: h, "i":1}\n'), [
    'key a',
    'string   b: 1',
    'string   # c',
    'key d',
    'label &e',
    'tag !f',
    'key g',
    'key "i"',
  ])
  assert.deepEqual(wordsOf('- a: >\n    b: 1\n  c: d\n- e#f: https://g.h:80/i\n'), [
    'key a',
    'string     b: 1',
    'key c',
    'key e#f',
  ])
})

/** The lines that disappear when this one is folded. */
function folded(text: string, line: number): string | null {
  const state = EditorState.create({ doc: text, extensions: yamlLanguage })
  const { from, to } = state.doc.line(line)
  const range = foldable(state, from, to)
  return range && text.slice(range.from, range.to)
}

test('a fold ends with what is further right', () => {
  const text = 'a:\n- b: 1\n  c:\n    d: 2\n\n# e\n- f\n\ng: 3\n'
  assert.equal(folded(text, 1), '\n- b: 1\n  c:\n    d: 2\n\n# e\n- f')
  assert.equal(folded(text, 2), '\n  c:\n    d: 2')
  assert.equal(folded(text, 3), '\n    d: 2')
  assert.equal(folded(text, 9), null)
  assert.equal(folded('- a: { b: 1 }\n\n# c\n- d\n', 1), null, 'a comment belongs to what comes next')
  assert.equal(folded('{\n  "a": [\n    1\n  ],\n  "b": 2\n}\n', 2), '\n    1')
  const long = `a:\n${'  - b\n'.repeat(50_000)}c: 1\n`
  assert.equal(folded(long, 1)?.length, 6 * 50_000)
})

/** How far right the next line starts after Enter at the end of the text. */
function indentAfter(text: string): number | null {
  const state = EditorState.create({ doc: text, extensions: yamlLanguage })
  return getIndentation(new IndentContext(state, { simulateBreak: text.length }), text.length)
}

test('the next line starts below the last key, or further right where a block is opened', () => {
  assert.equal(indentAfter('a:\n  b: 1'), 2)
  assert.equal(indentAfter('- a: 1'), 2)
  assert.equal(indentAfter('  - - a: 1'), 6)
  assert.equal(indentAfter('  - a'), 2)
  assert.equal(indentAfter('- a: |'), 4)
  assert.equal(indentAfter('{\n  "a": ['), 4)
})
