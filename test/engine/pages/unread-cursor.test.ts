/** A cursor path that no page has: a warning where the only page is full, none where it is short. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, readPages } from '../../../src/index.ts'
import { cursorPaginator, manifestOf, option, type StreamParts } from '../../helpers/manifests.ts'
import { type Handler, serveApi } from '../../helpers/serve-api.ts'

async function warningsOf(answer: Handler, parts: StreamParts): Promise<string[]> {
  await using api = await serveApi({ 'GET /items': answer })
  const warnings: string[] = []
  const onNotice = (notice: { kind: string; text?: string }) => {
    if (notice.kind === 'warning') warnings.push(notice.text ?? '')
  }
  const pages = readPages(loadManifest(manifestOf({ ...parts, url: api.url })), { config: {}, onNotice })
  for await (const _ of pages);
  return warnings
}

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }))

const sized = (cursor: string, page_size: number) => ({
  ...cursorPaginator(cursor),
  pagination_strategy: { type: 'CursorPagination', cursor_value: cursor, page_size },
  page_size_option: option('request_parameter', 'limit'),
})

const answering =
  (members: object, count = 10): Handler =>
  () => ({ json: { data: rows(count), ...members } })

test('a full page and a path that it does not have: the path is named', async () => {
  const warnings = await warningsOf(answering({ bookmark: 'b' }), { paginator: sized('{{ response.next }}', 10) })
  assert.deepEqual(warnings, [
    'No page has `response.next`, which the cursor value reads, and the read ended with a full page of 10 records: more may follow. `npx turnleaf diagnose` searches for the cursor.',
  ])
})

test('the size may be a plain parameter, and the path may be one of a header', async () => {
  const parts = {
    paginator: cursorPaginator("{{ headers['x-next'] }}"),
    requester: { request_parameters: { per_page: '10' } },
  }
  const [warning, ...others] = await warningsOf(answering({}), parts)
  assert.match(warning ?? '', /^No page has `headers\['x-next'\]`/)
  assert.deepEqual(others, [])
})

const quiet: readonly [what: string, answer: Handler, parts: StreamParts][] = [
  ['a short page', answering({}, 9), { paginator: sized('{{ response.next }}', 10) }],
  ['a page of no known size', answering({}), { paginator: cursorPaginator('{{ response.next }}') }],
  ['a cursor that is null', answering({ next: null }), { paginator: sized('{{ response.next }}', 10) }],
  [
    'one of two places',
    answering({ paging: { next: '' } }),
    { paginator: sized('{{ response.next or response.paging.next }}', 10) },
  ],
  [
    'a cursor that an earlier page had',
    (query) => ({ json: { data: rows(10), ...(!query.has('cursor') && { next: 'b' }) } }),
    { paginator: sized('{{ response.next }}', 10) },
  ],
]

for (const [what, answer, parts] of quiet) {
  test(`${what} stays quiet`, async () => {
    assert.deepEqual(await warningsOf(answer, parts), [])
  })
}
