import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PaginationPlan } from '../../../src/engine/plan/pagination.ts'
import { compileTemplate } from '../../../src/engine/template/template.ts'
import { placeName } from '../../../src/proof/claims/response-place.ts'
import { isConditional, declaredPlacesOf } from '../../../src/proof/claims/declared/declared-places.ts'

function cursor(value: string, stop?: string): PaginationPlan {
  return {
    kind: 'cursor',
    value: compileTemplate(value),
    stopWhen: stop === undefined ? null : compileTemplate(stop),
    at: { pointer: '' },
    token: null,
    size: null,
    pageSize: null,
    parameters: {},
  }
}

function placesOf(plan: PaginationPlan, recordPath: string[] | null = ['data']): string[] {
  return declaredPlacesOf(plan, recordPath).map((own) => {
    const means = own.means === 'flag' ? `${own.says} if ${JSON.stringify(own.value)}` : own.means
    return `${placeName(own.place)}: ${means}`
  })
}

type Row = [template: string, ...places: string[]]

describe('a cursor names the place of the next page', () => {
  const rows: Row[] = [
    ['{{ response.paging.next }}', 'paging.next: next'],
    ["{{ response['meta']['cursors']['after'] }}", 'meta.cursors.after: next'],
    ['{{ response.get("links", {}).get("next", {}) }}', 'links.next: next'],
    ['{{ (response.get("page") or {}).get("next") }}', 'page.next: next'],
    ["{{ response.data_.pageInfo.endCursor or '' }}", 'data_.pageInfo.endCursor: next'],
    ["{{ response.cursorId | default('') | tojson }}", 'cursorId: next'],
    ["{{ response.next | regex_search('next=([0-9]+)') }}", 'next: next'],
    ["{{ response.nextUrl.split('cursor=')[1] }}", 'nextUrl: next'],
    ["{{ response['@odata.nextLink'] }}", '@odata.nextLink: next'],
    ["{{ headers['X-Next-Cursor'] }}", 'header x-next-cursor: next'],
    ["{{ headers.get('X-Next') }}", 'header x-next: next'],
    ["{{ headers['link']['next']['url'] }}", 'header link next: next'],
    ['{{ response.links[0].href }}', 'links.0.href: next'],
    ['{{ response.a or response.b }}', 'a: next', 'b: next'],
    ['{{ response.next if response.more else none }}', 'more: next', 'next: next'],
    ['{{ none if response.done else response.next }}', 'done: end if true', 'next: next'],
    ['{{ response.more and response.next }}', 'more: next', 'next: next'],
    ['{% if response.more %}{{ response.next }}{% endif %}', 'more: next', 'next: next'],
    ['{{ response.page + 1 if response.page < response.last else none }}', 'last: pages'],
  ]
  for (const [template, ...places] of rows) {
    test(template, () => assert.deepEqual(placesOf(cursor(template)), places))
  }
})

describe('a stop condition names the place of a flag', () => {
  const rows: Row[] = [
    ["{{ response['meta']['has_more'] is false }}", 'meta.has_more: end if false'],
    ['{{ response.get("hasNext", {}) == False }}', 'hasNext: end if false'],
    ['{{ False == response.hasNext }}', 'hasNext: end if false'],
    ['{{ response.more != true }}', 'more: more if true'],
    ['{{ response.mehr == "N" }}', 'mehr: end if "N"'],
    ['{{ not response.paging.more }}', 'paging.more: next'],
    ['{{ response.get("done", False) }}', 'done: end if true'],
    ['{{ response.isLast or not response.nextPageToken }}', 'isLast: end if true', 'nextPageToken: next'],
    ["{{ 'next' not in response['paging'] }}", 'paging.next: next'],
    ["{{ 'next' not in headers['link'] }}", 'header link next: next'],
    ['{{ response.links.next is none }}', 'links.next: next'],
    ["{{ response.get('pagination', {}).get('cursor') is not defined }}", 'pagination.cursor: next'],
    ["{{ response.next == '' }}", 'next: next'],
    ['{{ not (response.more is true) }}', 'more: more if true'],
  ]
  for (const [template, ...places] of rows) {
    test(template, () => assert.deepEqual(placesOf(cursor("{{ last_record['id'] }}", template)), places))
  }
})

describe('a stop condition names the place of a total', () => {
  const rows: Row[] = [
    ['{{ response.offset + response.limit >= response.things }}', 'things: records'],
    ["{{ response.startAt + response.get('maxResults') > response.anzahl | int }}", 'anzahl: records'],
    ['{{ last_page_size * response.page >= response.total_things }}', 'total_things: records'],
    ['{{ response.meta.things <= response.meta.skip + last_page_size }}', 'meta.things: records'],
    ['{{ response.page >= response.seiten }}', 'seiten: pages'],
    ['{{ response.page + 1 >= response.seiten }}', 'seiten: pages'],
    ['{{ response.paging.count_pages == response.paging.current_page }}', 'paging.count_pages: pages'],
    ['{{ response.current_page == response.count_pages }}', 'count_pages: pages'],
    ['{{ not (response.page < response.seiten) }}', 'seiten: pages'],
    ['{{ response.month == response.last_month }}', 'last_month: count'],
  ]
  for (const [template, ...places] of rows) {
    test(template, () => assert.deepEqual(placesOf(cursor("{{ last_record['id'] }}", template)), places))
  }
})

describe('no place is named', () => {
  const rows: Row[] = [
    ['by what is computed', '{{ response.page + 1 }}'],
    ['by the last record', "{{ last_record['id'] }}"],
    ['by the list of records', '{{ response.data }}'],
    ['by a record', "{{ response.data[-1]['id'] }}"],
    ['by text', 'next'],
    ['by the whole response', '{{ response }}'],
    ['by a key that is computed', "{{ response[config['key']] }}"],
  ]
  for (const [name, template] of rows) {
    test(name, () => assert.deepEqual(placesOf(cursor(template as string)), []))
  }
  const stops: [name: string, template: string][] = [
    ['by a size that is written out', '{{ last_page_size < 100 }}'],
    ['by a count of this page', '{{ response.get("count", 0) < 1000 }}'],
    ['by nothing on this page', '{{ response.chunk_size == 0 }}'],
    ['by the length of the list', "{{ response['data'] | length < 1000 }}"],
    ['by the list itself', "{{ not response.get('data', []) }}"],
    ['by a size from the config', "{{ response.count < config['size'] }}"],
    ['by a date', "{{ last_record['created'] < config['start'] }}"],
  ]
  for (const [name, template] of stops) {
    test(name, () => assert.deepEqual(placesOf(cursor("{{ last_record['id'] }}", template)), []))
  }
})

test('a list with nothing around it hides no place', () => {
  assert.deepEqual(placesOf(cursor('{{ response.next }}'), []), ['next: next'])
  assert.deepEqual(placesOf(cursor('{{ response.next }}'), null), ['next: next'])
})

test('methods that count, and classes, name no place', () => {
  assert.deepEqual(placesOf({ kind: 'none' }), [])
})

test('a cursor may end the read itself where it is made under a condition', () => {
  assert.equal(isConditional(cursor('{{ response.next if last_page_size == 100 else none }}')), true)
  assert.equal(isConditional(cursor('{% if last_page_size == 100 %}{{ response.next }}{% endif %}')), true)
  assert.equal(isConditional(cursor('{{ response.next }}')), false)
})
