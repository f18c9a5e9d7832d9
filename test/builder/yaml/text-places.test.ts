import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathAt, textPosition } from '../../../src/builder/yaml/text-places.ts'

const text = 'streams:\n  - name: a # first\n    retriever: { path: /x }\n  - name: b\n'

test('what is written is found, and found again from there', () => {
  for (const path of [
    ['streams'],
    ['streams', 0, 'name'],
    ['streams', 0, 'retriever', 'path'],
    ['streams', 1, 'name'],
  ]) {
    const position = textPosition(text, path)
    assert.ok(position !== null)
    assert.deepEqual(pathAt(text, position), path)
  }
})

test('what is not written leads to what is around it', () => {
  assert.equal(textPosition(text, ['streams', 1, 'retriever', 'paginator']), text.indexOf('- name: b'))
  assert.equal(textPosition('', ['streams']), null)
  assert.deepEqual(pathAt('', 0), [])
})

test('positions count as an editor does: a line break is one character, and a mark at the front is one too', () => {
  const twice = `\uFEFF${text.replaceAll('\n', '\r\n')}`
  const position = textPosition(twice, ['streams', 1, 'name'])
  assert.equal(position, text.indexOf('name: b') + 1)
  assert.deepEqual(pathAt(twice, position ?? 0), ['streams', 1, 'name'])
})

test('a text that cannot be read has no places', () => {
  assert.equal(textPosition('a: [', ['a']), null)
  assert.deepEqual(pathAt('a: [', 2), [])
})
