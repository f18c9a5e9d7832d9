/** Changes that would hide a fault or shrink a read are not proposed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, readRecords } from '../../../src/index.ts'
import { applyEdits } from '../../../src/proof/diagnosis/apply-edits.ts'
import { diagnoseAndFix } from '../../../src/proof/diagnosis/diagnose-and-fix.ts'
import { manifestOf, offsetPaginator, option } from '../../helpers/manifests.ts'
import { type Handler, serveApi } from '../../helpers/serve-api.ts'
import { diagnoseServed, keyed, records } from './served.ts'

const paging = {
  pagination_strategy: { type: 'PageIncrement', start_from_page: 1, page_size: 10 },
  page_token_option: option('request_parameter', 'page'),
}

const refusing =
  (refusal: Record<string, unknown>, status = 400): Handler =>
  (query) => {
    const page = Number(query.get('page') ?? 1)
    if (query.has('wrong')) return { status: 400, json: { error: 'unknown parameter wrong', message: 'Bad request' } }
    if (page > 2) return { status, json: refusal }
    return { json: { data: records(10, (page - 1) * 10 + 1), total: 20 } }
  }

const worded: readonly [refusal: Record<string, unknown>, words: string][] = [
  [{ error: 'page 3 is out of range, the last page is 2' }, 'is out of range, the last page is'],
  [{ error: { code: 'page_out_of_range', message: 'No such page: 3' } }, 'No such page'],
  [{ message: 'The requested page does not exist.' }, 'The requested page does not exist'],
]

for (const [refusal, words] of worded) {
  test(`a page past the end that is refused is known by its words: ${words}`, async () => {
    const { findings } = await diagnoseServed(refusing(refusal), { paginator: paging, ...keyed })
    const [found] = findings
    assert.deepEqual(
      [findings.length, found?.code, found?.fix?.retest?.isFixed],
      [1, 'never-stops/stop-condition', true],
    )
    const [filter] = filtersIn(found?.fix?.edits[0]?.value)
    assert.match(String(filter?.error_message_contains), new RegExp(`^${words.replaceAll('.', '\\.')}`))
    assert.equal(filter?.http_codes, undefined)
  })
}

function filtersIn(handler: unknown): Record<string, unknown>[] {
  return (handler as { response_filters: Record<string, unknown>[] }).response_filters
}

test('words that the filter by message does not look at are found in the whole response', async () => {
  const refusal = { errors: [{ title: 'page[number] is beyond the last page' }] }
  const { findings } = await diagnoseServed(refusing(refusal, 422), { paginator: paging, ...keyed })
  const [filter] = filtersIn(findings[0]?.fix?.edits[0]?.value)
  assert.match(String(filter?.predicate), /'is beyond the last page' in response \| string/)
  assert.equal(findings[0]?.fix?.retest?.isFixed, true)
})

test('with that filter, another mistake still fails', async () => {
  const answer = refusing({ error: 'page 3 is out of range' })
  await using api = await serveApi({ 'GET /items': answer })
  const parts = { paginator: paging, ...keyed, url: api.url }
  const { text } = await diagnoseAndFix(JSON.stringify(manifestOf(parts)), { sleep: async () => {} })
  const wrong = applyEdits(text, [
    { path: ['streams', 0, 'retriever', 'requester', 'request_parameters'], value: { wrong: '1' } },
  ])
  await assert.rejects(
    async () => {
      for await (const _ of readRecords(loadManifest(wrong))) assert.fail('a record came')
    },
    { code: 'response/rejected' },
  )
})

test('a refusal without words of its own gets no filter: advice only', async () => {
  for (const refusal of [{}, { error: 'Bad Request' }, { message: 'Invalid page' }, { error: 400 }]) {
    const { findings } = await diagnoseServed(refusing(refusal), { paginator: paging, ...keyed })
    assert.deepEqual(
      findings.map(({ code, fix }) => [code, fix]),
      [['never-stops/stop-condition', null]],
      JSON.stringify(refusal),
    )
  }
})

// Sizes.

const sized =
  (names: readonly string[], most: number, usual: number, message?: (size: number) => string): Handler =>
  (query) => {
    const all = records(250)
    const given = names.map((name) => query.get(name)).find((one) => one !== null)
    const size = Number(given ?? usual)
    if (message !== undefined && size > most) return { status: 400, json: { error: message(size) } }
    const offset = Number(query.get('offset') ?? 0)
    return { json: { data: all.slice(offset, offset + Math.min(size, most)), total: 250 } }
  }

test('a number in an error message is no page size', async () => {
  for (const message of [
    () => 'Error 1: the page is too large (request 7)',
    (size: number) => `limit ${size} is not allowed, code 1`,
    () => 'limit must be at least 1',
  ]) {
    const { findings } = await diagnoseServed(sized(['limit'], 100, 50, message), {
      paginator: offsetPaginator({ page_size: 500 }),
      ...keyed,
    })
    assert.deepEqual(
      findings.map(({ code, fix }) => [code, fix?.says, fix?.retest?.says]),
      [['missing/page-size-capped', 'Set page_size to 100.', '250 records in 3 pages, complete']],
      message(500),
    )
  }
})

test('the largest size that the message names is taken, and tried', async () => {
  for (const [most, message] of [
    [30, 'limit must be between 1 and 30'],
    [25, 'limit: the maximum is 25 (see rule 400)'],
    [5, 'at most 5 items per request'],
  ] as const) {
    const { findings } = await diagnoseServed(
      sized(['limit'], most, 5, () => message),
      {
        paginator: offsetPaginator({ page_size: 500 }),
        ...keyed,
      },
    )
    assert.deepEqual(
      findings.map(({ code, fix }) => [code, fix?.says]),
      [['missing/page-size-capped', `Set page_size to ${most}.`]],
    )
  }
})

for (const right of ['per_page', 'pageSize', 'page_size', 'count', 'size', 'limit']) {
  test(`a size under the wrong name is sent as ${right}, rather than made smaller`, async () => {
    const answer = sized([right], 1000, 20)
    const paginator = offsetPaginator({ page_size: 100 }, { page_size_option: option('request_parameter', 'sise') })
    const { findings } = await diagnoseServed(answer, { paginator, ...keyed })
    assert.deepEqual(
      findings.map(({ code, fix }) => [code, fix?.says, fix?.retest?.says]),
      [
        [
          'missing/page-size-ignored',
          `Send the page size as the query parameter ${right}.`,
          '250 records in 3 pages, complete',
        ],
      ],
    )
  })
}

test('a size that the API never reads is reported as ignored', async () => {
  const paginator = offsetPaginator({ page_size: 100 })
  const { findings } = await diagnoseServed(sized([], 1000, 20), { paginator, ...keyed })
  assert.deepEqual(
    findings.map(({ code, fix }) => [code, fix?.says, fix?.retest?.says]),
    [
      [
        'missing/page-size-ignored',
        'Set page_size to 20, the size that the API sends.',
        '250 records in 13 pages, complete',
      ],
    ],
  )
  assert.match(findings[0]?.says ?? '', /does not read limit/)
})

test('a capped size is still called capped', async () => {
  const { findings } = await diagnoseServed(sized(['limit'], 100, 20), {
    paginator: offsetPaginator({ page_size: 500 }),
    ...keyed,
  })
  assert.deepEqual(
    findings.map(({ code, fix }) => [code, fix?.says]),
    [['missing/page-size-capped', 'Set page_size to 100.']],
  )
})

// Re-tests.

test('a change is read to the end, and says how far it was read where that is too far', async () => {
  const all = records(2500)
  const answer: Handler = (query) => {
    const offset = Number(query.get('offset') ?? 0)
    return { json: { data: all.slice(offset, offset + 10), total: 2500 } }
  }
  const paginator = offsetPaginator({ page_size: 500 }, { page_size_option: undefined })
  const { findings } = await diagnoseServed(answer, { paginator, ...keyed }, { maxRetest: 1_000 })
  assert.equal(findings[0]?.fix?.retest?.says, '2,500 records in 251 pages, complete')
  const short = await diagnoseServed(answer, { paginator, ...keyed })
  assert.match(
    short.findings[0]?.fix?.retest?.says ?? '',
    /^1,000 records in 100 pages, .* tested only up to page 100$/,
  )
})

test('a change that reads well at first and brings other records later is refused', async () => {
  // After three pages by offset, the API sends its catalogue.
  const answer: Handler = (query) => {
    const offset = Number(query.get('offset') ?? 0)
    if (offset >= 60) return { json: { data: [{ sku: `s${offset}`, price: offset, stock: 1 }] } }
    return { json: { data: records(10, offset + 1) } }
  }
  const paginator = offsetPaginator({ page_size: 500 }, { page_size_option: undefined })
  const { findings } = await diagnoseServed(answer, { paginator, ...keyed })
  assert.ok(findings.every(({ fix }) => fix === null))
})

test('a change that brings more records than the API counts is refused', async () => {
  const answer: Handler = (query) => {
    const offset = Number(query.get('offset') ?? 0)
    return { json: { data: records(10, offset + 1).filter(({ id }) => id <= 95), total: 55 } }
  }
  const paginator = offsetPaginator({ page_size: 500 }, { page_size_option: undefined })
  const { findings } = await diagnoseServed(answer, { paginator, ...keyed })
  assert.ok(findings.every(({ fix }) => fix === null))
})
