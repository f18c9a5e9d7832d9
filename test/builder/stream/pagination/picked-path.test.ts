import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  pathOfTemplate,
  pickableParts,
  stopPath,
  stopTemplate,
} from '../../../../src/builder/stream/pagination/picked-path.ts'

test('a flag becomes the condition under which its page is the last', () => {
  assert.equal(stopTemplate(['response', 'has_more'], true), '{{ not response.get("has_more") }}')
  assert.equal(
    stopTemplate(['response', 'has_more'], false),
    '{{ not response.get("has_more") }}',
    'picked on the last page',
  )
  assert.equal(stopTemplate(['response', 'meta', 'is_last'], true), '{{ (response.get("meta") or {}).get("is_last") }}')
  assert.equal(stopTemplate(['response', 'odd'], true), '{{ not response.get("odd") }}')
  assert.equal(stopTemplate(['response', 'odd'], false), '{{ response.get("odd") }}')
})

test('without a token or a link, the page is the last', () => {
  assert.equal(stopTemplate(['response', 'next'], null), '{{ not response.get("next") }}')
  assert.equal(
    stopTemplate(['headers', 'link', 'next', 'url'], 'https://x.test/2'),
    '{{ not ((headers.get("link") or {}).get("next") or {}).get("url") }}',
  )
})

test('what was picked is found again, however it is spelled', () => {
  const path = ['response', 'meta', 'has_more']
  assert.deepEqual(stopPath(stopTemplate(path, true)), path)
  assert.deepEqual(stopPath('{{ response.meta.has_more }}'), path)
  assert.deepEqual(pathOfTemplate("{{ last_record['id'] }}"), ['last_record', 'id'])
  assert.equal(stopPath('{{ response.page >= response.pages }}'), null)
  assert.equal(stopPath(undefined), null)
})

test('links are picked by their relation', () => {
  const headers = { link: '<https://x.test/2>; rel="next", <https://x.test/9>; rel="last"', 'x-total': '9' }
  assert.deepEqual(pickableParts({ data: [] }, headers, { id: 1 }), {
    response: { data: [] },
    headers: { link: { next: { url: 'https://x.test/2' }, last: { url: 'https://x.test/9' } }, 'x-total': '9' },
    last_record: { id: 1 },
  })
  assert.deepEqual(pickableParts([], {}, undefined), { response: [], headers: {} })
})
