import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathAt, textRange } from '../../../src/builder/yaml/text-places.ts'

const text = 'streams:\n  - name: a # first\n    retriever: { path: /x }\n  - name: b\n'

test('what is written is found, and found again from there', () => {
  for (const path of [
    ['streams'],
    ['streams', 0, 'name'],
    ['streams', 0, 'retriever', 'path'],
    ['streams', 1, 'name'],
  ]) {
    const position = textRange(text, path)?.from ?? -1
    assert.ok(position >= 0)
    assert.deepEqual(pathAt(text, position), path)
  }
})

test('what is not written leads to what is around it', () => {
  assert.equal(textRange(text, ['streams', 1, 'retriever', 'paginator'])?.from, text.indexOf('- name: b'))
  assert.equal(textRange('', ['streams']), null)
  assert.deepEqual(pathAt('', 0), [])
})

test('positions count as an editor does: a line break is one character, and a mark at the front is one too', () => {
  const twice = `\uFEFF${text.replaceAll('\n', '\r\n')}`
  const position = textRange(twice, ['streams', 1, 'name'])?.from
  assert.equal(position, text.indexOf('name: b') + 1)
  assert.deepEqual(pathAt(twice, position ?? 0), ['streams', 1, 'name'])
})

test('a text that cannot be read has no places', () => {
  assert.equal(textRange('a: [', ['a']), null)
  assert.deepEqual(pathAt('a: [', 2), [])
})
