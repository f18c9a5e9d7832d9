/** Responses are found by evaluating templates as the engine does: the read continues and ends where it should. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageShape } from '../../../src/lab/mirror/page-shape.ts'
import { pagingOf } from '../../../src/lab/mirror/paging.ts'
import type { Component } from '../../../src/engine/manifest/manifest.ts'
import { loadManifest } from '../../../src/index.ts'
import { cursorPaginator, manifestOf } from '../../helpers/manifests.ts'

const link = 'https://api.test/v1/items?limit=2&leaf=leaf-2-mark'

function shapes(paginator: Record<string, unknown>, fieldPath = ['data']) {
  const manifest = loadManifest(manifestOf({ paginator, fieldPath }))
  const paging = pagingOf(manifest.streams[0]?.retriever as Component, {})
  const wanted = { page: 1, next: 2, link, records: [{ id: 1 }, { id: 2 }], taken: new Set<string>() }
  return [true, false].map((hasNext) => pageShape(paging, { ...wanted, hasNext }))
}

const rows: [string, string, string | undefined, RegExp][] = [
  ['a member of the body', '{{ response.meta.next }}', undefined, /leaf-2/],
  ['a flag next to the token', '{{ response.cursor }}', '{{ not response.has_more }}', /leaf-2/],
  ['a header', "{{ headers['link']['next']['url'] }}", "{{ 'next' not in headers['link'] }}", /leaf-2/],
  ['numbers that are compared', '{{ response.page + 1 }}', '{{ response.page >= response.pages }}', /\d/],
  ['a part of a link', "{{ response.next | regex_search('after=([^&]+)') }}", '{{ response.next is none }}', /leaf-2/],
  ['the last record', "{{ last_record['id'] }}", '{{ not response.more }}', /^2$/],
]

for (const [name, value, stop, token] of rows) {
  test(`a response leads on, and ends, by ${name}`, () => {
    const [goingOn, ending] = shapes(cursorPaginator(value, stop))
    assert.match(goingOn?.token ?? '', token)
    assert.equal(ending?.token, '')
  })
}

test('a paginator that reads members of the records gets one record in the place of the list', () => {
  const [goingOn] = shapes(cursorPaginator('{{ response.data.after }}'))
  assert.match(JSON.stringify(goingOn?.body), /^\{"data":\{"id":1,"after":"leaf-2-mark"\}\}$/)
})
