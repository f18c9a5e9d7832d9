/** A stop condition that is true where it should be false: found, negated, and the API is not blamed for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cursorPaginator, offsetPaginator, option } from '../../helpers/manifests.ts'
import type { Answer, Handler } from '../../helpers/serve-api.ts'
import { brief } from './lab-case.ts'
import { diagnoseServed, keyed, records } from './served.ts'

const rows = records(1237)

type Around = (
  next: string | null,
  page: number,
) => { json?: Record<string, unknown>; headers?: Record<string, string> }

/** Pages of a hundred after a cursor, with what an API says about the next one. */
const served =
  (around: Around): Handler =>
  (query): Answer => {
    const start = Number((query.get('cursor') ?? 'c0').replace(/^c/, ''))
    const next = start + 100 < rows.length ? `c${start + 100}` : null
    const { json = {}, headers = {} } = around(next, start / 100 + 1)
    return { json: { data: rows.slice(start, start + 100), ...json }, headers }
  }

const all = '1,237 records in 13 pages, complete'

const info: Around = (next) => ({ json: { pageInfo: { hasNextPage: next !== null, endCursor: next ?? 'end' } } })
const flagged =
  (name: string, more: unknown = true, end: unknown = false): Around =>
  (next) => ({ json: { [name]: next === null ? end : more, cursor: next ?? 'c1237' } })
const linked: Around = (next) => ({ json: { next } })

const cases: readonly [cursor: string, stop: string, right: string, around: Around][] = [
  [
    '{{ response.pageInfo.endCursor }}',
    '{{ response.pageInfo.hasNextPage }}',
    '{{ not response.pageInfo.hasNextPage }}',
    info,
  ],
  ['{{ response.cursor }}', '{{ response.has_more }}', '{{ not response.has_more }}', flagged('has_more')],
  ['{{ response.cursor }}', '{{ response.hasMore }}', '{{ not response.hasMore }}', flagged('hasMore')],
  [
    '{{ response.cursor }}',
    '{{ response["hasMore"] == true }}',
    '{{ response["hasMore"] != true }}',
    flagged('hasMore'),
  ],
  ['{{ response.cursor }}', '{{ response.more is true }}', '{{ response.more is not true }}', flagged('more')],
  [
    '{{ response.cursor }}',
    '{{ response.is_last == false }}',
    '{{ response.is_last != false }}',
    flagged('is_last', false, true),
  ],
  ['{{ response.cursor }}', '{{ not response.is_last }}', '{{ response.is_last }}', flagged('is_last', false, true)],
  [
    '{{ response.cursor }}',
    "{{ response.has_more == 'true' or response.gone }}",
    "{{ not (response.has_more == 'true' or response.gone) }}",
    flagged('has_more', 'true', 'false'),
  ],
  // No name says what it means; the pages after the first do.
  ['{{ response.cursor }}', '{{ response.zusatz }}', '{{ not response.zusatz }}', flagged('zusatz')],
  ['{{ response.next }}', '{{ response.next }}', '{{ not response.next }}', linked],
  ['{{ response.next }}', '{{ response.next is not none }}', '{{ response.next is none }}', linked],
  ["{{ response['next'] }}", "{{ response['next'] != none }}", "{{ response['next'] == none }}", linked],
  [
    "{{ headers['x-next-cursor'] }}",
    "{{ headers['x-next-cursor'] }}",
    "{{ not headers['x-next-cursor'] }}",
    (next) => ({ headers: next === null ? {} : { 'x-next-cursor': next } }),
  ],
  [
    '{{ response.cursor }}',
    "{{ headers['x-has-more'] == 'true' }}",
    "{{ headers['x-has-more'] != 'true' }}",
    (next) => ({ json: { cursor: next ?? 'c1237' }, headers: { 'x-has-more': String(next !== null) } }),
  ],
]

for (const [cursor, stop, right, around] of cases) {
  for (const total of [null, 1237]) {
    test(`${stop} is inverted${total === null ? '' : ', and a total shows it'}`, async () => {
      const answer = served((next, page) => {
        const { json = {}, headers = {} } = around(next, page)
        return { headers, json: { ...json, ...(total !== null && { total }) } }
      })
      const diagnosis = await diagnoseServed(answer, { paginator: cursorPaginator(cursor, stop), ...keyed })
      const [found] = diagnosis.findings
      assert.deepEqual(
        diagnosis.findings.map(({ code, fault, fix }) => [code, fault, fix?.edits, fix?.retest?.isFixed]),
        [['missing/stop-inverted', 'manifest', [{ path: strategy('stop_condition'), value: right }], true]],
      )
      assert.match(found?.fix?.retest?.says ?? '', /^1,237 records in 13 pages, (complete|unproven)/)
      assert.match(found?.says ?? '', /stop condition/)
      if (total !== null) assert.equal(found?.fix?.retest?.says, all)
    })
  }
}

function strategy(name: string) {
  return ['streams', 0, 'retriever', 'paginator', 'pagination_strategy', name]
}

test('a Link header that is read the wrong way round', async () => {
  const answer: Handler = (query) => {
    const page = Number(query.get('page') ?? 1)
    const link = page < 3 ? { link: `</items?page=${page + 1}>; rel="next"` } : {}
    return { json: { data: records(10, (page - 1) * 10 + 1) }, headers: link }
  }
  const paginator = cursorPaginator("{{ headers['link']['next']['url'] }}", "{{ 'next' in headers['link'] }}", {
    page_token_option: { type: 'RequestPath' },
  })
  const diagnosis = await diagnoseServed(answer, { paginator, ...keyed })
  assert.deepEqual(
    diagnosis.findings.map(({ code, fix }) => [code, fix?.edits[0]?.value, fix?.retest?.says]),
    [
      [
        'missing/stop-inverted',
        "{{ 'next' not in headers['link'] }}",
        '30 records in 3 pages, not verified: the API reports no total',
      ],
    ],
  )
})

test('a flag that ends a stream of one page rightly gets no finding, whatever it is called', async () => {
  for (const [name, value, stop] of [
    ['zusatz', true, '{{ response.zusatz }}'],
    ['is_last', true, '{{ response.is_last }}'],
    ['has_more', false, '{{ not response.has_more }}'],
  ] as const) {
    for (const after of ['empty', 'same', 'refused'] as const) {
      const answer: Handler = (query) => {
        const isFirst = !query.has('cursor')
        if (!isFirst && after === 'refused') return { status: 400, json: { error: 'unknown cursor' } }
        return { json: { data: isFirst || after === 'same' ? records(30) : [], [name]: value, cursor: 'c30' } }
      }
      const paginator = cursorPaginator('{{ response.cursor }}', stop)
      const { findings, probes } = await diagnoseServed(answer, { paginator, ...keyed })
      // A flag that only the manifest knows, seen once, proves nothing: one request more is spent on it.
      assert.deepEqual([findings, probes.length <= 3], [[], true], `${stop}, then ${after}`)
    }
  }
})

test('a condition on the records may end a read on purpose', async () => {
  const answer = served((next) => ({ json: { next, total: 1237 } }))
  const paginator = cursorPaginator('{{ response.next }}', '{{ last_record.id > 50 }}')
  const { findings } = await diagnoseServed(answer, { paginator, ...keyed })
  assert.deepEqual(
    findings.filter(({ fault }) => fault === 'api'),
    [],
  )
})

test('a total that is too large is the API’s fault only when nothing follows', async () => {
  const answer: Handler = (query) => {
    const start = Number((query.get('cursor') ?? 'c0').slice(1))
    const isEnd = start + 10 >= 30
    return {
      json: { data: rows.slice(start, start + 10), total: 99, done: isEnd, cursor: isEnd ? null : `c${start + 10}` },
    }
  }
  const right = await diagnoseServed(answer, {
    paginator: cursorPaginator('{{ response.cursor }}', '{{ response.done }}'),
    ...keyed,
  })
  assert.deepEqual(
    right.findings.map(({ code }) => code),
    ['api/wrong-total'],
  )
  const wrong = await diagnoseServed(answer, {
    paginator: cursorPaginator('{{ response.cursor }}', '{{ not response.done }}'),
    ...keyed,
  })
  assert.deepEqual(
    wrong.findings.map(({ code }) => code),
    ['missing/stop-inverted'],
  )
})

test('a condition that is met by every page is not called inverted', async () => {
  const answer = served((next) => ({ json: { next } }))
  const paginator = cursorPaginator('{{ response.next }}', '{{ response.data | length < 1000 }}')
  const { findings } = await diagnoseServed(answer, { paginator, ...keyed })
  assert.deepEqual(
    findings.map(({ code, fix }) => [code, fix?.says, fix?.retest?.isFixed]),
    [['missing/stop-condition', 'Remove the stop condition: the read ends where there is no cursor.', true]],
  )
})

test('a cursor that is read where nothing is does not make the total wrong', async () => {
  const answer = served((next) => ({ json: { total: 1237, weiter: next } }))
  const { findings } = await diagnoseServed(answer, { paginator: cursorPaginator('{{ response.naechste }}'), ...keyed })
  assert.deepEqual(
    findings.filter(({ fault }) => fault === 'api'),
    [],
  )
})

test('offsets have no stop condition to invert', async () => {
  const answer: Handler = (query) => {
    const start = Number(query.get('offset') ?? 0)
    return { json: { data: rows.slice(start, start + 10), has_more: false } }
  }
  const paginator = offsetPaginator({ page_size: 10 }, { page_token_option: option('request_parameter', 'offset') })
  const diagnosis = await diagnoseServed(answer, { paginator, ...keyed })
  assert.ok(!brief(diagnosis).join().includes('inverted'))
})
