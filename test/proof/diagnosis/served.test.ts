/** Faults that no dialect of the lab has, each on a server of its own: found, shown, and fixed where a change can. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openNetwork } from '../../../src/engine/response/send.ts'
import { diagnose } from '../../../src/proof/diagnosis/diagnose.ts'
import { cursorPaginator, manifestOf, offsetPaginator, option, streamOf } from '../../helpers/manifests.ts'
import { type Handler, serveApi } from '../../helpers/serve-api.ts'
import { brief } from './lab-case.ts'
import { diagnoseServed, keyed, records } from './served.ts'

const all = records(25)

/** Pages of ten by number, from 1. */
const byPage =
  (around: (page: number) => object = () => ({})): Handler =>
  (query) => {
    const page = Number(query.get('page') ?? 1)
    return { json: { data: all.slice((page - 1) * 10, page * 10), ...around(page) } }
  }

test('a stop condition that is never met: the flag of the API becomes the condition', async () => {
  const answer = byPage((page) => ({ page, has_more: page < 3 }))
  const paginator = cursorPaginator('{{ response.page + 1 }}', '{{ response.done }}', {
    page_token_option: option('request_parameter', 'page'),
  })
  const diagnosis = await diagnoseServed(answer, { paginator, ...keyed })
  assert.deepEqual(brief(diagnosis), [
    'never-stops/stop-condition: Stop where has_more says so. 25 records in 3 pages, complete',
  ])
  const edits = diagnosis.findings[0]?.fix?.edits
  assert.equal(edits?.[0]?.value, '{{ not response.get("has_more") }}')
  assert.ok(diagnosis.isCut)
  assert.match(diagnosis.findings[0]?.evidence[0]?.says ?? '', /Page 3 says that it is the last one \(has_more\)/)
})

test('a stop condition that is never met, at an API that counts its pages and answers what lies after with nothing', async () => {
  const answer = byPage((page) => ({ page, total_pages: 3 }))
  const paginator = cursorPaginator('{{ response.page + 1 }}', '{{ response.page == response.pages }}', {
    page_token_option: option('request_parameter', 'page'),
  })
  const diagnosis = await diagnoseServed(answer, { paginator, ...keyed })
  assert.deepEqual(
    diagnosis.findings.map(({ code, fix }) => [code, fix?.says, fix?.retest?.isFixed]),
    [['never-stops/stop-condition', 'Stop at an empty page.', true]],
  )
  assert.equal(diagnosis.findings[0]?.evidence[0]?.says, 'Page 3 is the last of 3 (total_pages).')
})

test('a last page that comes again and again: a page size ends the read', async () => {
  const answer: Handler = (query) => {
    const page = Math.min(Number(query.get('page') ?? 1), 3)
    return { json: { data: all.slice((page - 1) * 10, page * 10), total: 25 } }
  }
  const paginator = {
    pagination_strategy: { type: 'PageIncrement', start_from_page: 1 },
    page_token_option: option('request_parameter', 'page'),
  }
  const diagnosis = await diagnoseServed(answer, { paginator, ...keyed })
  assert.deepEqual(
    diagnosis.findings.map(({ code, fix }) => [code, fix?.says, fix?.retest?.isFixed]),
    [['never-stops/stop-condition', 'Set page_size to 10: a shorter page is the last one.', true]],
  )
})

test('pages that continue after a date that records share: the tie is shown, and the key takes its place', async () => {
  const rows = records(30).map(({ id }) => ({ id, day: `2024-01-${String(Math.ceil(id / 7)).padStart(2, '0')}` }))
  const answer: Handler = (query) => {
    const after = query.get('after') ?? ''
    const isDay = after.includes('-')
    const rest = rows.filter(({ id, day }) => (isDay ? day >= after : id > Number(after || 0)))
    return { json: { data: rest.slice(0, 10), has_more: rest.length > 10 } }
  }
  const paginator = cursorPaginator("{{ last_record['day'] }}", '{{ not response.has_more }}', {
    page_token_option: option('request_parameter', 'after'),
  })
  const diagnosis = await diagnoseServed(answer, { paginator, ...keyed })
  assert.deepEqual(brief(diagnosis), [
    'duplicates/cursor-not-unique: Continue after the id of the last record. 30 records in 3 pages, complete',
  ])
  assert.match(diagnosis.findings[0]?.evidence[0]?.says ?? '', /ends with \d records whose day is 2024-01-0\d/)
})

test('a fixed parameter that holds the read at one page is taken out', async () => {
  const answer: Handler = (query) => {
    const start = query.has('page') ? 0 : Number((query.get('cursor') ?? 'c0').slice(1))
    const next = start + 10 < 25 ? `c${start + 10}` : null
    return { json: { data: all.slice(start, start + 10), next_cursor: next } }
  }
  const diagnosis = await diagnoseServed(answer, {
    paginator: cursorPaginator('{{ response.next_cursor }}'),
    requester: { request_parameters: { page: '1', sort: 'id' } },
    ...keyed,
  })
  assert.deepEqual(brief(diagnosis), [
    'duplicates/mixed-methods: Remove the fixed parameter page. 25 records in 3 pages, complete',
  ])
})

test('a page size that is refused: the largest one that the API names is taken', async () => {
  const answer: Handler = (query) => {
    const limit = Number(query.get('limit'))
    if (limit > 10) return { status: 400, json: { error: 'limit must be between 1 and 10' } }
    const offset = Number(query.get('offset') ?? 0)
    return { json: { data: all.slice(offset, offset + limit), total: 25 } }
  }
  const diagnosis = await diagnoseServed(answer, { paginator: offsetPaginator({ page_size: 500 }), ...keyed })
  assert.deepEqual(brief(diagnosis), ['missing/page-size-capped: Set page_size to 10. 25 records in 3 pages, complete'])
})

test('an offset that counts from 1: the boundary record comes twice until one is added', async () => {
  const answer: Handler = (query) => {
    const start = Number(query.get('offset') ?? 1)
    return { json: { data: all.slice(start - 1, start + 9), total: 25 } }
  }
  const diagnosis = await diagnoseServed(answer, { paginator: offsetPaginator({ page_size: 10 }), ...keyed })
  assert.deepEqual(brief(diagnosis), ['duplicates/step: Send offset plus one. 25 records in 3 pages, complete'])
})

test('a cap that no word of the API gives away is found after a round first page', async () => {
  const rows = records(250)
  const answer: Handler = (query) => {
    const offset = Number(query.get('offset') ?? 0)
    return { json: { data: rows.slice(offset, offset + Math.min(100, Number(query.get('limit')))) } }
  }
  const diagnosis = await diagnoseServed(answer, { paginator: offsetPaginator({ page_size: 1000 }), ...keyed })
  assert.deepEqual(
    diagnosis.findings.map(({ code, fix }) => [code, fix?.says]),
    [['missing/page-size-capped', 'Set page_size to 100.']],
  )
  assert.equal(diagnosis.proof?.verdict, 'unproven')
})

test('an end that only looks like a cap costs one request', async () => {
  const answer: Handler = (query) => ({ json: { data: query.get('offset') === null ? records(100) : [] } })
  const diagnosis = await diagnoseServed(answer, { paginator: offsetPaginator({ page_size: 1000 }), ...keyed })
  assert.deepEqual(diagnosis.findings, [])
  assert.equal(diagnosis.probes.length, 1)
})

test('a wait that is too long is reported, not waited for', async () => {
  const answer: Handler = () => ({ status: 429, headers: { 'retry-after': '3600' }, text: 'slow down' })
  const waits: number[] = []
  const sleep = async (ms: number) => void waits.push(ms)
  const { findings } = await diagnoseServed(answer, { paginator: offsetPaginator() }, { sleep })
  assert.deepEqual(
    findings.map(({ code, says }) => [code, says]),
    [['api/rate-limited', 'The API asks to wait 3,600 seconds, longer than a diagnosis waits.']],
  )
  assert.deepEqual(waits, [])
})

test('the slice that goes wrong is the one that is examined, and tried', async () => {
  const answer: Handler = (query) => {
    const isLarge = query.get('shop') === 'large'
    const offset = Number(query.get('offset') ?? 0)
    const rows = isLarge ? records(25, 100) : records(3)
    const limit = Math.min(10, Number(query.get('limit')))
    return { json: { data: rows.slice(offset, offset + limit), has_more: offset + limit < rows.length } }
  }
  const diagnosis = await diagnoseServed(answer, {
    paginator: offsetPaginator({ page_size: 50 }),
    retriever: {
      partition_router: {
        type: 'ListPartitionRouter',
        values: ['small', 'large', 'none'],
        cursor_field: 'shop',
        request_option: option('request_parameter', 'shop'),
      },
    },
    ...keyed,
  })
  assert.deepEqual(
    diagnosis.findings.map(({ code, fix, evidence }) => [code, fix?.says, evidence[0]?.pages]),
    [['missing/page-size-capped', 'Set page_size to 10.', [2]]],
  )
  assert.ok(diagnosis.probes.every(({ url }) => url.includes('shop=large')))
})

test('credentials that are refused are no matter of paging', async () => {
  const { findings, error, probes } = await diagnoseServed(() => ({ status: 401, text: 'who are you?' }), {
    paginator: offsetPaginator(),
  })
  assert.deepEqual([findings, probes, error?.code], [[], [], 'response/rejected'])
})

test('requests are of the stream’s own kind: never another method, never another path', async () => {
  const answer: Handler = () => ({ json: { data: records(10), total: 99 } })
  const { asked } = await diagnoseServed(
    { 'POST /items': answer, '*': answer },
    {
      paginator: offsetPaginator({ page_size: 10 }, { page_token_option: option('body_json', 'x') }),
      requester: { http_method: 'POST' },
      ...keyed,
    },
  )
  assert.ok(asked.length > 3)
  assert.deepEqual([...new Set(asked.map((line) => line.split('?')[0]))], ['POST /items'])
})

test('a short page in the middle: the size is requested without ending the read', async () => {
  const answer: Handler = (query) => {
    const page = Number(query.get('page') ?? 1)
    const data = all.slice((page - 1) * 10, page * 10)
    return { json: { data: page === 2 ? data.slice(0, 4) : data, total_pages: 3 } }
  }
  const paginator = {
    pagination_strategy: { type: 'PageIncrement', start_from_page: 1, page_size: 10 },
    page_token_option: option('request_parameter', 'page'),
    page_size_option: option('request_parameter', 'per_page'),
  }
  const { findings } = await diagnoseServed(answer, { paginator, ...keyed })
  assert.deepEqual(
    findings.map(({ code, fault, fix }) => [code, fault, fix?.retest?.isFixed]),
    [['api/short-page', 'api', true]],
  )
})

test('an API that refuses the page after the last one is no fault where all were there', async () => {
  const answer: Handler = (query) => {
    const page = Number(query.get('page') ?? 1)
    if (page > 2) return { status: 404, json: { error: 'no such page' } }
    return { json: { data: records(10, (page - 1) * 10 + 1), total: 20 } }
  }
  const paginator = {
    pagination_strategy: { type: 'PageIncrement', start_from_page: 1, page_size: 10 },
    page_token_option: option('request_parameter', 'page'),
  }
  const diagnosis = await diagnoseServed(answer, { paginator, ...keyed })
  assert.deepEqual(brief(diagnosis), [
    'never-stops/stop-condition: Treat this refusal as the end, recognised by its words: "no such page". 20 records in 3 pages, complete',
  ])
})

for (const [what, next] of [
  ['an address that is none', 'http://['],
  ['a link to another kind of thing', 'javascript:alert(1)'],
  ['a very long token', 'x'.repeat(100_000)],
  ['an object', { deep: { deeper: {} } }],
  ['a number that is too large', 2 ** 60],
] as const) {
  test(`a hostile next page, ${what}, neither breaks the diagnosis nor fills the report`, async () => {
    const answer: Handler = () => ({ json: { data: records(10), next, has_more: true } })
    const diagnosis = await diagnoseServed(answer, keyed)
    assert.ok(diagnosis.probes.length <= 12)
    for (const { says, evidence, advice } of diagnosis.findings) {
      const words = [says, advice, ...evidence.map((one) => one.says)]
      assert.ok(words.every((text) => text.length < 1000))
    }
  })
}

test('an empty stream, an empty list and a body that is no object are examined in peace', async () => {
  const beside = { columns: [{ name: 'id' }, { name: 'total' }] }
  for (const json of [{ data: [] }, { data: [], ...beside }, { data: null, ...beside }, [], null, 'nothing here', 7]) {
    const { findings } = await diagnoseServed(() => ({ json }), { paginator: offsetPaginator(), ...keyed })
    assert.deepEqual(findings, [], JSON.stringify(json))
  }
})

test('no request in addition is sent where none is allowed', async () => {
  const answer: Handler = () => ({ json: { data: records(3), total: 99 } })
  const { probes, asked, findings } = await diagnoseServed(answer, keyed, { maxProbes: 0 })
  assert.deepEqual([probes, asked.length], [[], 1])
  assert.deepEqual(
    findings.map(({ code, fix }) => [code, fix]),
    [['missing/not-paginated', null]],
  )
})

test('an abort ends the diagnosis with an error of its own, in the read and in a probe', async () => {
  for (const at of [1, 2]) {
    const cancel = new AbortController()
    let turn = 0
    const answer: Handler = () => {
      if (++turn === at) cancel.abort()
      return { json: { data: records(3), total: 99 } }
    }
    await assert.rejects(diagnoseServed(answer, keyed, { signal: cancel.signal }))
    assert.equal(turn, at)
  }
})

test('a stream that is made from a template gets advice, and no change for all of its kind', async () => {
  const answer: Handler = () => ({ json: { data: records(3), total: 99 } })
  await using api = await serveApi({ 'GET /items': answer, 'GET /made': answer })
  const text = JSON.stringify({
    ...manifestOf({ url: api.url }),
    dynamic_streams: [
      {
        type: 'DynamicDeclarativeStream',
        stream_template: streamOf({ url: api.url, name: 'template', requester: { path: '/made' }, ...keyed }),
        components_resolver: {
          type: 'ConfigComponentsResolver',
          stream_config: { type: 'StreamConfig', configs_pointer: ['tables'] },
          components_mapping: [
            { type: 'ComponentMappingDefinition', field_path: ['name'], value: '{{ components_values.name }}' },
          ],
        },
      },
    ],
  })
  const { findings, probes } = await diagnose(text, { stream: 'made', config: { tables: [{ name: 'made' }] } })
  assert.deepEqual(
    findings.map(({ code, fix }) => [code, fix]),
    [['missing/not-paginated', null]],
  )
  assert.match(findings[0]?.advice ?? '', /made from a template: change the template by hand/)
  assert.deepEqual(probes, [])
})

test('answers that take long, and those that never come, are called slow', async () => {
  let time = 0
  const now = () => (time += 4_000)
  const late = await diagnoseServed(() => ({ json: { data: records(3), total: 3 } }), keyed, { now })
  assert.deepEqual(
    late.findings.map(({ code }) => code),
    ['api/slow'],
  )
  const network = openNetwork({ limits: { headersMs: 30, totalMs: 60 } })
  try {
    const never = await diagnoseServed(() => new Promise(() => {}), keyed, { network })
    assert.deepEqual(
      never.findings.map(({ code, says }) => [code, says]),
      [['api/slow', 'Page 1 did not come in time.']],
    )
  } finally {
    await network.close()
  }
})

test('a connection that breaks in the middle of every response is a cut body', async () => {
  const answer: Handler = () => ({
    raw: (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '999' })
      response.write('{"data":[', () => response.destroy())
    },
  })
  const { findings } = await diagnoseServed(answer, keyed)
  assert.deepEqual(
    findings.map(({ code }) => code),
    ['api/cut-body'],
  )
})
