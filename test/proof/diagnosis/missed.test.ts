/** Faults that leave no error and no wrong total: each is found by what the pages themselves show, or by asking once more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, readRecords } from '../../../src/index.ts'
import { diagnoseAndFix } from '../../../src/proof/diagnosis/diagnose-and-fix.ts'
import { cursorPaginator, manifestOf, offsetPaginator, option, type StreamParts } from '../../helpers/manifests.ts'
import { type Handler, serveApi } from '../../helpers/serve-api.ts'
import { diagnoseServed, keyed, records } from './served.ts'

const all = records(250)

async function readsAll(answer: Handler, parts: StreamParts): Promise<void> {
  await using api = await serveApi({ 'GET /items': answer })
  const { text } = await diagnoseAndFix(JSON.stringify(manifestOf({ ...parts, url: api.url })), {
    sleep: async () => {},
  })
  const ids: unknown[] = []
  for await (const { id } of readRecords(loadManifest(text))) ids.push(id)
  assert.deepEqual([ids.length, new Set(ids).size], [250, 250])
}

const paging = (strategy: Record<string, unknown>, name = 'page', size = 'per_page') => ({
  pagination_strategy: { type: 'PageIncrement', ...strategy },
  page_token_option: option('request_parameter', name),
  page_size_option: option('request_parameter', size),
})

// A cursor that several records share, with an exclusive comparison.

/** Twenty-five groups of ten, which a page of twenty-five cuts. */
const dated = all.map(({ id }) => ({ id, created: 1_000 + Math.floor((id - 1) / 10) }))

const since =
  (byId: boolean): Handler =>
  (query) => {
    const created = Number(query.get('created_gt') ?? 0)
    const after = byId ? Number(query.get('after') ?? 0) : 0
    const rest = dated.filter((row) => row.created > created && row.id > after)
    return { json: { data: rest.slice(0, 25), has_more: rest.length > 25 } }
  }

const after = cursorPaginator('{{ last_record.created }}', '{{ not response.has_more }}', {
  page_token_option: option('request_parameter', 'created_gt'),
})

test('a cursor that is not unique, compared exclusively, loses records: the key takes its place where the API takes one', async () => {
  const parts = { paginator: after, ...keyed }
  const { findings, proof } = await diagnoseServed(since(true), parts)
  assert.ok((proof?.received ?? 0) < 250)
  assert.deepEqual(
    findings.map(({ code, fault, fix }) => [code, fault, fix?.retest?.isFixed]),
    [['duplicates/cursor-not-unique', 'manifest', true]],
  )
  assert.match(findings[0]?.evidence[0]?.says ?? '', /Page 1 ends with 5 records whose created is 1002/)
  await readsAll(since(true), parts)
})

test('a cursor that is not unique, at an API that takes no other, gets advice', async () => {
  const { findings } = await diagnoseServed(since(false), { paginator: after, ...keyed })
  assert.deepEqual(
    findings.map(({ code, fix }) => [code, fix]),
    [['duplicates/cursor-not-unique', null]],
  )
  assert.match(findings[0]?.evidence.map(({ says }) => says).join(' ') ?? '', /never came/)
})

test('a total that is not reached does not hide what the cursor does', async () => {
  const answer: Handler = (query, request) => {
    const { json } = since(false)(query, request) as { json: object }
    return { json: { ...json, total: 250 } }
  }
  const { findings, proof } = await diagnoseServed(answer, { paginator: after, ...keyed })
  assert.equal(proof?.verdict, 'incomplete')
  assert.deepEqual(
    findings.map(({ code }) => code),
    ['duplicates/cursor-not-unique'],
  )
})

test('groups that end where pages end lose nothing, and get no finding', async () => {
  const answer: Handler = (query) => {
    const rest = dated.filter((row) => row.created > Number(query.get('created_gt') ?? 0))
    return { json: { data: rest.slice(0, 50), has_more: rest.length > 50 } }
  }
  const { findings, probes, proof } = await diagnoseServed(answer, { paginator: after, ...keyed })
  assert.deepEqual([findings, proof?.received, probes.length <= 2], [[], 250, true])
})

test('a full page of one value, and another value on the next, needs no proof', async () => {
  const large = all.map(({ id }) => ({ id, meta: { day: `2026-01-${10 + Math.floor((id - 1) / 40)}` } }))
  const answer: Handler = (query) => {
    const rest = large.filter(({ meta }) => meta.day > (query.get('after_day') ?? ''))
    return { json: { data: rest.slice(0, 25), more: rest.length > 25 } }
  }
  const paginator = cursorPaginator('{{ response.data[-1].meta.day }}', '{{ not response.more }}', {
    page_token_option: option('request_parameter', 'after_day'),
  })
  const { findings } = await diagnoseServed(answer, { paginator, ...keyed })
  assert.deepEqual(
    findings.map(({ code, fix }) => [code, fix]),
    [['duplicates/cursor-not-unique', null]],
  )
})

test('an API that sends one day a page gets no finding', async () => {
  const days = [31, 12, 44, 7].map((size, index) =>
    records(size, index * 100).map(({ id }) => ({ id, day: index + 1 })),
  )
  const answer: Handler = (query) => {
    const day = Number(query.get('after_day') ?? 0)
    return { json: { data: days[day] ?? [], more: day < 3 } }
  }
  const paginator = cursorPaginator('{{ last_record.day }}', '{{ not response.more }}', {
    page_token_option: option('request_parameter', 'after_day'),
  })
  const { findings, probes } = await diagnoseServed(answer, { paginator, ...keyed })
  assert.deepEqual([findings, probes], [[], []])
})

// The first page.

const fromZero: Handler = (query) => {
  const page = Number(query.get('page') ?? 0)
  const size = Number(query.get('per_page') ?? 100)
  return { json: { data: all.slice(page * size, (page + 1) * size) } }
}

const fromOne =
  (zero: 'empty' | 'first' | 'refused'): Handler =>
  (query) => {
    const page = Number(query.get('page') ?? 1)
    const size = Number(query.get('per_page') ?? 100)
    if (page === 0 && zero === 'refused') return { status: 400, json: { error: 'page must be at least 1' } }
    if (page === 0 && zero === 'empty') return { json: { data: [] } }
    return { json: { data: all.slice((Math.max(1, page) - 1) * size, Math.max(1, page) * size) } }
  }

for (const inject_on_first_request of [true, false]) {
  const when = inject_on_first_request ? 'sent at once' : 'left out of the first request'
  test(`start page 1 at an API that counts from 0, and says nothing about a total, ${when}`, async () => {
    const parts = { paginator: paging({ page_size: 100, start_from_page: 1, inject_on_first_request }), ...keyed }
    const { findings, proof } = await diagnoseServed(fromZero, parts)
    assert.equal(proof?.received, 150)
    assert.deepEqual(
      findings.map(({ code, fix }) => [code, fix?.says, fix?.retest?.isFixed]),
      [['first-request/start-page', 'Start from page 0.', true]],
    )
    await readsAll(fromZero, parts)
  })
}

test('page 0 that is an empty list at an API that counts from 1', async () => {
  const parts = { paginator: paging({ page_size: 100, inject_on_first_request: true }), ...keyed }
  const { findings, proof } = await diagnoseServed(fromOne('empty'), parts)
  assert.equal(proof?.received, 0)
  assert.deepEqual(
    findings.map(({ code, fix }) => [code, fix?.says, fix?.retest?.isFixed]),
    [['first-request/start-page', 'Start from page 1.', true]],
  )
  await readsAll(fromOne('empty'), parts)
})

test('page 1 that is empty at an API that counts from 0 and has one page', async () => {
  const answer: Handler = (query) => ({ json: { data: query.get('page') === '1' ? [] : records(30) } })
  const parts = { paginator: paging({ page_size: 100, start_from_page: 1, inject_on_first_request: true }), ...keyed }
  const { findings } = await diagnoseServed(answer, parts)
  assert.deepEqual(
    findings.map(({ code, fix }) => [code, fix?.says]),
    [['first-request/start-page', 'Start from page 0.']],
  )
})

test('a right start page gets no finding, whatever the page before it is', async () => {
  for (const zero of ['empty', 'first', 'refused'] as const) {
    const parts = { paginator: paging({ page_size: 100, start_from_page: 1, inject_on_first_request: true }), ...keyed }
    const { findings, probes } = await diagnoseServed(fromOne(zero), parts)
    assert.deepEqual([findings, probes.length <= 2], [[], true], zero)
  }
  const nothing = { paginator: paging({ page_size: 100, inject_on_first_request: true }), ...keyed }
  const { findings } = await diagnoseServed(() => ({ json: { data: [] } }), nothing)
  assert.deepEqual(findings, [])
})

// Two ways of paging at once.

/** Skips by page and by offset, both where both are sent. */
const byBoth: Handler = (query) => {
  const size = Number(query.get('per_page') ?? query.get('limit') ?? 50)
  const start = Number(query.get('offset') ?? 0) + (Number(query.get('page') ?? 1) - 1) * size
  return { json: { data: all.slice(start, start + size) } }
}

const mixed: readonly [what: string, parts: StreamParts][] = [
  [
    'a fixed offset',
    {
      paginator: paging({ page_size: 50, start_from_page: 1, inject_on_first_request: true }),
      requester: { request_parameters: { offset: '50' } },
    },
  ],
  ['a fixed page', { paginator: offsetPaginator({ page_size: 50 }), requester: { request_parameters: { page: '2' } } }],
  [
    'an offset from the same number',
    {
      paginator: paging({ page_size: 50, start_from_page: 1, inject_on_first_request: true }),
      requester: {
        request_parameters: { offset: "{{ (next_page_token['next_page_token'] if next_page_token else 1) * 50 }}" },
      },
    },
  ],
]

for (const [what, parts] of mixed) {
  test(`${what} next to the paginator’s own value skips records`, async () => {
    const { findings, proof } = await diagnoseServed(byBoth, { ...parts, ...keyed })
    assert.ok((proof?.received ?? 0) < 250)
    assert.deepEqual(
      findings.map(({ code, fix }) => [code, fix?.retest?.isFixed]),
      [['duplicates/mixed-methods', true]],
    )
    await readsAll(byBoth, { ...parts, ...keyed })
  })
}

test('an offset that is sent as a page number, at an API without a total', async () => {
  for (const answer of [fromZero, fromOne('first')]) {
    const parts = {
      paginator: { ...paging({ page_size: 100 }), pagination_strategy: { type: 'OffsetIncrement', page_size: 100 } },
      ...keyed,
    }
    const { findings, proof } = await diagnoseServed(answer, parts)
    assert.equal(proof?.received, 100)
    assert.deepEqual(
      findings.map(({ code, fix }) => [code, fix?.retest?.isFixed]),
      [['duplicates/method', true]],
    )
    await readsAll(answer, parts)
  }
})

test('one full page and an empty one are a stream of one page', async () => {
  const answer: Handler = (query) => {
    const offset = Number(query.get('offset') ?? 0)
    return { json: { data: records(100).slice(offset, offset + 100) } }
  }
  const { findings, probes } = await diagnoseServed(answer, {
    paginator: offsetPaginator({ page_size: 100 }),
    ...keyed,
  })
  assert.deepEqual([findings, probes.length <= 2], [[], true])
})

// Another link than the next one.

const linked: Handler = (query) => {
  const page = Number(query.get('page') ?? 1)
  const url = (number: number) => `/items?page=${number}`
  const links = {
    self: url(page),
    first: url(1),
    previous: page > 1 ? url(page - 1) : null,
    next: page < 3 ? url(page + 1) : null,
    last: page < 3 ? url(3) : null,
  }
  return { json: { data: all.slice((page - 1) * 100, page * 100), links } }
}

for (const name of ['last', 'previous', 'self', 'first']) {
  test(`links.${name} that is taken for the next page`, async () => {
    const parts = {
      paginator: cursorPaginator(`{{ response.links.${name} }}`, undefined, {
        page_token_option: { type: 'RequestPath' },
      }),
      ...keyed,
    }
    const { findings } = await diagnoseServed(linked, parts)
    assert.deepEqual(
      findings.map(({ fault, fix }) => [fault, fix?.says, fix?.retest?.says]),
      [['manifest', 'Follow the address at links.next.', '250 records in 3 pages, complete']],
    )
    await readsAll(linked, parts)
  })
}

test('the last page of a Link header that is taken for the next one', async () => {
  const answer: Handler = (query) => {
    const page = Number(query.get('page') ?? 1)
    const links = [`</items?page=1>; rel="first"`]
    if (page < 3) links.push(`</items?page=${page + 1}>; rel="next"`, '</items?page=3>; rel="last"')
    return { json: { data: all.slice((page - 1) * 100, page * 100) }, headers: { link: links.join(', ') } }
  }
  const parts = {
    paginator: cursorPaginator("{{ headers['link']['last']['url'] }}", "{{ 'last' not in headers['link'] }}", {
      page_token_option: { type: 'RequestPath' },
    }),
    ...keyed,
  }
  const { findings } = await diagnoseServed(answer, parts)
  assert.deepEqual(
    findings.map(({ fault, fix }) => [fault, fix?.says]),
    [['manifest', 'Follow the address at header link next.']],
  )
  await readsAll(answer, parts)
})

// Empty pages.

test('fifteen empty pages in a row are worth a remark', async () => {
  const answer: Handler = (query) => {
    const turn = Number(query.get('cursor') ?? 0)
    return {
      json: { data: turn === 0 ? records(10) : turn < 16 ? [] : records(10, 11), next: turn < 16 ? turn + 1 : null },
    }
  }
  const { findings } = await diagnoseServed(answer, { paginator: cursorPaginator('{{ response.next }}'), ...keyed })
  assert.deepEqual(
    findings.map(({ code, fix, evidence }) => [code, fix, evidence[0]?.says]),
    [['api/empty-pages', null, 'Pages 2 to 16 are empty.']],
  )
})
