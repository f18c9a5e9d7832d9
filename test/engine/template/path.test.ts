/** The path that a template reads, and the template that reads a path. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { evaluateTemplate } from '../../../src/engine/template/evaluate-template.ts'
import { pathReadBy, writePath, writePathTemplate } from '../../../src/engine/template/syntax/path.ts'

describe('reading', () => {
  const read: [
    template: string,
    path: readonly (string | number)[] | null,
    exact: readonly (string | number)[] | null,
  ][] = [
    ['{{ response.a.b }}', ['response', 'a', 'b'], ['response', 'a', 'b']],
    ["{{ response['items'][-1]['id'] }}", ['response', 'items', -1, 'id'], ['response', 'items', -1, 'id']],
    ["{{ response['0'] }}", ['response', '0'], ['response', '0']],
    ['{{ (response.get("a") or {}).get("b", {}) }}', ['response', 'a', 'b'], ['response', 'a', 'b']],
    ["{{ response.get('a', 'x') }}", ['response', 'a'], null],
    ["{{ response.a | default('x') }}", ['response', 'a'], null],
    ["{{ response.a or '' }}", ['response', 'a'], null],
    ['{{ response.a + 1 }}', null, null],
    ['{{ response.a() }}', null, null],
    ['{{ response.a }}{{ response.b }}', null, null],
    ['{{ response.', null, null],
    ['plain', null, null],
  ]
  for (const [template, path, exact] of read) {
    test(template, () => {
      assert.deepEqual(pathReadBy(template), path)
      assert.deepEqual(pathReadBy(template, { isExact: true }), exact)
    })
  }
})

describe('writing', () => {
  test('one name, and names within others', () => {
    assert.equal(writePath(['response', 'next']), 'response.get("next")')
    assert.equal(writePath(['response', 'paging', 'next']), '(response.get("paging") or {}).get("next")')
    assert.equal(writePathTemplate(['headers', 'x-next']), '{{ headers.get("x-next", {}) }}')
  })

  test('what is written is read again and evaluated, whatever the names are', () => {
    const names = ['say "hi"', "it's", 'back\\slash', 'line\nbreak', 'items', 'get', '{{ }}']
    const response = names.reduceRight<unknown>((value, name) => ({ [name]: value }), 'found')
    const template = writePathTemplate(['response', ...names])
    assert.deepEqual(pathReadBy(template, { isExact: true }), ['response', ...names])
    assert.equal(evaluateTemplate(template, { response }), 'found')
  })
})
