/** A path that is one letter off: the name that was meant is said, and is the fix. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cursorPaginator, option } from '../../helpers/manifests.ts'
import type { Handler } from '../../helpers/serve-api.ts'
import { diagnoseServed, keyed, records } from './served.ts'

const all = records(25)

const paged: Handler = (query) => {
  const start = Number(query.get('cursor') ?? 0)
  const next = start + 10 < 25 ? start + 10 : null
  const paging = { cursors: { after: next }, page: start / 10 + 1, is_last: next === null }
  return { json: { data: all.slice(start, start + 10), paging, links: { next: `/elsewhere?cursor=${next}` } } }
}

for (const [wrong, right, name] of [
  ['{{ response.pagin.cursors.after }}', '{{ response.paging.cursors.after }}', 'paging'],
  ["{{ response['pagng']['cursors']['after'] }}", "{{ response['paging']['cursors']['after'] }}", 'paging'],
  ['{{ response.paging.cursor.after }}', '{{ response.paging.cursors.after }}', 'cursors'],
  [
    "{{ response.get('pagin', {}).get('cursors', {}).get('after') }}",
    "{{ response.get('paging', {}).get('cursors', {}).get('after') }}",
    'paging',
  ],
] as const) {
  test(`${wrong}: did you mean ${name}?`, async () => {
    const { findings } = await diagnoseServed(paged, { paginator: cursorPaginator(wrong), ...keyed })
    assert.deepEqual(
      findings.map(({ code, fix }) => [code, fix?.edits[0]?.value, fix?.retest?.isFixed]),
      [['missing/wrong-cursor', right, true]],
    )
    assert.match(findings[0]?.says ?? '', new RegExp(`Did you mean \`${name}\`\\?$`))
  })
}

test('a stop condition that is one letter off', async () => {
  const answer: Handler = (query) => {
    const page = Number(query.get('page') ?? 1)
    return { json: { data: all.slice((page - 1) * 10, page * 10), page, pages_total: 3 } }
  }
  const paginator = cursorPaginator('{{ response.page + 1 }}', '{{ response.page >= response.page_total }}', {
    page_token_option: option('request_parameter', 'page'),
  })
  const { findings } = await diagnoseServed(answer, { paginator, ...keyed })
  assert.deepEqual(
    findings.map(({ code, fix }) => [code, fix?.edits[0]?.value, fix?.retest?.isFixed]),
    [['never-stops/stop-condition', '{{ response.page >= response.pages_total }}', true]],
  )
})

test('a cursor that is gone on the only page is no misspelling', async () => {
  const answer: Handler = () => ({ json: { data: all, text: 'all of them', nest: 7 } })
  const { findings, probes } = await diagnoseServed(answer, {
    paginator: cursorPaginator('{{ response.next }}'),
    ...keyed,
  })
  assert.deepEqual([findings, probes.length <= 2], [[], true])
})
