/** The path of a cursor and the templates that read it: written so that every response is read right. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  cursorProperty,
  cursorTemplate,
  isNoCursor,
} from '../../../../src/builder/stream/pagination/cursor-property.ts'
import { evaluateTemplate } from '../../../../src/engine/template/evaluate-template.ts'
import { isTruthy } from '../../../../src/engine/template/text.ts'

describe('the usual spellings are recognised', () => {
  const spellings: [template: string, from: string, names: string[]][] = [
    ['{{ response.next }}', 'response', ['next']],
    ['{{response.page_info.end_cursor}}', 'response', ['page_info', 'end_cursor']],
    ["{{ response['metadata']['paging']['next_page'] }}", 'response', ['metadata', 'paging', 'next_page']],
    ['{{ response.get("links", {}).get("next", {}) }}', 'response', ['links', 'next']],
    ["{{ response.get('pagination',{}).get('end_cursor','') }}", 'response', ['pagination', 'end_cursor']],
    [
      "{{ response.payload.get('pagination', { }).get('nextToken') }}",
      'response',
      ['payload', 'pagination', 'nextToken'],
    ],
    ['{{ response.get("@odata.nextLink", {}) }}', 'response', ['@odata.nextLink']],
    ['{{ (response.get("paging") or {}).get("next", {}) }}', 'response', ['paging', 'next']],
    ["{{ headers['link']['next']['url'] }}", 'headers', ['link', 'next', 'url']],
    ["{{ headers.get('link', {}).get('next', {}).get('url', '') }}", 'headers', ['link', 'next', 'url']],
    ["{{ headers['X-Next-Cursor'] }}", 'headers', ['X-Next-Cursor']],
  ]
  for (const [template, from, names] of spellings) {
    test(template, () => assert.deepEqual(cursorProperty(template), { from, names }))
  }
})

describe('what does more than read a path is left to the author', () => {
  const templates = [
    '{{ response }}',
    '{{ last_record.id }}',
    "{{ response.next | regex_search('page=(\\d+)') }}",
    "{{ response['entries'][-1]['uuid'] }}",
    '{{ response.get("a") or response.get("b") }}',
    "{{ response.next or '' }}",
    '{{ response.page + 1 }}',
    '{{ response.next() }}',
    "{{ response.get('next', 'x') }}",
    'https://api/{{ response.next }}',
    '{{ response.a }}{{ response.b }}',
    "{{ response['a\\n'] }}",
    'plain',
  ]
  for (const template of [...templates, 7, null, undefined, ['{{ response.a }}']]) {
    test(String(template), () => assert.equal(cursorProperty(template), null))
  }
})

describe('what the form writes', () => {
  test('is what Airbyte writes, for one name', () => {
    assert.equal(cursorTemplate({ from: 'response', names: ['next'] }), '{{ response.get("next", {}) }}')
  })

  test('is recognised again, whatever the names are', () => {
    for (const names of [
      ['a'],
      ['a', 'b', 'c', 'd'],
      ['odata.next'],
      ['say "hi"', "it's", 'back\\slash', 'items', 'get'],
    ]) {
      const property = { from: 'headers', names } as const
      assert.deepEqual(cursorProperty(cursorTemplate(property)), property)
    }
  })

  const value = cursorTemplate({ from: 'response', names: ['paging', 'next', 'after'] })
  const answers: [what: string, response: unknown, cursor: unknown][] = [
    ['the cursor where there is one', { paging: { next: { after: 'abc' } } }, 'abc'],
    ['nothing where all is missing', {}, null],
    ['nothing where a name on the way is null', { paging: null }, null],
    ['nothing where the last name on the way is null', { paging: { next: null } }, null],
    ['nothing where the cursor is null', { paging: { next: { after: null } } }, null],
    ['nothing where the cursor is empty', { paging: { next: { after: '' } } }, null],
  ]
  for (const [what, response, cursor] of answers) {
    test(`gives ${what}`, () => {
      const given = evaluateTemplate(value, { response })
      assert.equal(isTruthy(given) ? given : null, cursor)
    })
  }
})

test('a stop condition that denies the same path says nothing new', () => {
  const property = { from: 'response', names: ['links', 'next'] } as const
  assert.ok(isNoCursor('{{ not response.get("links", {}).get("next", {}) }}', property))
  assert.ok(isNoCursor('{{ not response.links.next }}', property))
  assert.ok(!isNoCursor('{{ not response.links.more }}', property))
  assert.ok(!isNoCursor('{{ not headers.links.next }}', property))
  assert.ok(!isNoCursor('{{ not response.links.next or not response.data }}', property))
  assert.ok(!isNoCursor('{{ response.has_more is false }}', property))
})
