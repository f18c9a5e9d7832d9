import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PaginationPlan } from '../../../src/engine/plan/pagination.ts'
import { compileTemplate } from '../../../src/engine/template/template.ts'
import { placeName } from '../../../src/proof/claims/response-place.ts'
import {
  cursorFieldOf,
  declaredPlacesOf,
  isConditional,
  otherLinkOf,
} from '../../../src/proof/claims/declared/declared-places.ts'

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
    ['{{ response.more is eq(false) }}', 'more: end if false'],
    ['{{ response.next is undefined }}', 'next: next'],
    ['{{ not (response.next is defined) }}', 'next: next'],
    ["{{ not ('next' in response.paging) }}", 'paging.next: next'],
    ['{{ none == response.next }}', 'next: next'],
    ['{{ not (response.next != none) }}', 'next: next'],
    ["{{ response.mehr != 'J' }}", 'mehr: more if "J"'],
    ["{{ not response.get('next', {}) }}", 'next: next'],
    ['{{ not (response.next or {}) }}', 'next: next'],
    ['{{ response.isLast and not response.next }}', 'isLast: end if true', 'next: next'],
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
    ['{{ response.offset + 3 >= response.things }}', 'things: count'],
    ['{{ last_page_size >= response.things }}', 'things: records'],
    ['{{ (response.page | int) >= response.seiten }}', 'seiten: pages'],
    ['{{ (response.page + response.step) >= response.things }}', 'things: records'],
    ['{{ response.things <= last_page_size }}', 'things: records'],
    ['{{ not (response.page != response.seiten) }}', 'seiten: pages'],
    ["{{ response.page >= headers['X-Pages'] }}", 'header x-pages: pages'],
    ['{{ response.page_size >= response.things }}', 'things: count'],
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
    ['by what is there at the end', '{{ response.next is defined }}'],
    ['by what is not there in between', '{{ not (response.next is none) }}'],
    ['by a name that is there at the end', "{{ 'next' in response.paging }}"],
    ['by a value that is not empty', "{{ response.next != '' }}"],
    ['by another number', '{{ response.page != response.seiten }}'],
    ['by a range', '{{ 0 < response.page < response.seiten }}'],
    ['by another test', '{{ response.page is odd }}'],
    ['by a number that is written out', '{{ 3 >= response.things }}'],
    ['by a name that is computed', "{{ config['key'] not in response.paging }}"],
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

test('a cursor that is a field of the last record is known by that field, and nothing else is one', () => {
  const field = (value: string) => cursorFieldOf(cursor(value))
  assert.deepEqual(field('{{ last_record.id }}'), ['id'])
  assert.deepEqual(field("{{ last_record['meta']['at'] }}"), ['meta', 'at'])
  assert.deepEqual(field('{{ last_records[-1].id }}'), ['id'])
  assert.equal(field('{{ last_records[0].id }}'), null)
  assert.equal(field('{{ last_records[-1] }}'), null)
  assert.equal(field('{{ last_record }}'), null)
  assert.equal(field('{{ response.id }}'), null)
  assert.equal(field('a{{ last_record.id }}'), null)
  assert.equal(field('{{ last_record.id }}{{ last_record.at }}'), null)
  assert.equal(field('{{ last_record.id + 1 }}'), null)
  assert.equal(cursorFieldOf({ kind: 'none' }), null)
})

test('a cursor that is read from another link than the next leads elsewhere', () => {
  const at = (value: string) => otherLinkOf(cursor(value))
  for (const name of [
    'last',
    'prev',
    'previous',
    'first',
    'self',
    '_self',
    'last_page_url',
    'prevUrl',
    'currentPage',
  ]) {
    assert.deepEqual(at(`{{ response.links.${name} }}`), ['body', 'links', name])
    assert.deepEqual(placesOf(cursor(`{{ response.links.${name} }}`)), [])
  }
  assert.deepEqual(at("{{ headers['link']['last']['url'] }}"), ['header', 'link', 'last'])
  for (const name of ['next', 'lastName', 'first_cursor_of', 'selfie']) assert.equal(at(`{{ response.${name} }}`), null)
  assert.equal(otherLinkOf({ kind: 'none' }), null)
})

test('a place is named once, and not where it is read from the records', () => {
  assert.deepEqual(placesOf(cursor('{{ response.next }}', '{{ not response.next }}')), ['next: next'])
  assert.deepEqual(placesOf(cursor('{{ response.data.next }}')), [])
  assert.deepEqual(placesOf(cursor('{{ response.data }}'), ['data', 'items']), [])
  assert.deepEqual(placesOf(cursor('{{ response.data.next }}'), ['data', 'items']), ['data.next: next'])
  assert.deepEqual(placesOf(cursor("{{ headers['data'] }}")), ['header data: next'])
})

test('a cursor under a condition that has another value otherwise names only the places of that value', () => {
  const rows: Row[] = [
    ['{% if response.more %}{{ response.next }}{% else %}{{ response.other }}{% endif %}'],
    ['{% if response.more %}{{ response.next }}{% else %} {% endif %}', 'more: next', 'next: next'],
    ['{{ response.a if response.more else response.b }}'],
    ['{{ response.next[1:] }}', 'next: next'],
  ]
  for (const [template, ...places] of rows) assert.deepEqual(placesOf(cursor(template)), places, template)
  assert.equal(isConditional(cursor('{{ response.more and response.next }}')), true)
  assert.equal(isConditional(cursor('{{ response.next or response.other }}')), false)
  assert.equal(isConditional({ kind: 'none' }), false)
})
