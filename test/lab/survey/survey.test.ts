/** Manifests against an API that misbehaves: what is lost is known, so the outcome can be held against it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { faults } from '../../../src/lab/faults.ts'
import type { SurveyOptions, SurveyResult } from '../../../src/lab/survey/result.ts'
import { survey } from '../../../src/lab/survey/survey.ts'
import { cursorPaginator, manifestOf, offsetPaginator, option, type StreamParts } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'

async function surveyed(parts: StreamParts, options: SurveyOptions = {}): Promise<Map<string, SurveyResult>> {
  const { results, skipped } = await survey(JSON.stringify(manifestOf(parts)), options)
  assert.deepEqual(skipped, [])
  return new Map(results.map((result) => [result.fault, result]))
}

/** The outcome of one fault. */
async function under(fault: string, parts: StreamParts): Promise<SurveyResult> {
  const result = (await surveyed(parts, { faults: [fault] })).get(fault)
  assert.ok(result)
  return result
}

const keyed = { stream: { primary_key: 'id' } }
const byOffset: StreamParts = { ...keyed, paginator: offsetPaginator() }
const byCursor: StreamParts = { ...keyed, paginator: cursorPaginator('{{ response.next }}') }

describe('survey', { concurrency: 2 }, () => {
  test('every fault of the lab has an outcome, and none says more than the records show', async () => {
    for (const parts of [byOffset, byCursor]) {
      const results = await surveyed(parts)
      assert.deepEqual(
        [...results.keys()],
        faults.map(({ name }) => name),
      )
      for (const { outcome, missing, doubled, error, verdict, fault } of results.values()) {
        const isHarmed = missing > 0 || doubled > 0
        if (outcome === 'survives') assert.ok(!isHarmed && error === null, fault)
        if (outcome === 'misses') assert.ok(isHarmed && error === null && verdict !== null, fault)
        if (outcome === 'reports') assert.ok(error !== null || verdict !== null, fault)
      }
    }
  })

  test('a page size above the cap ends an offset read early; only a total would show it', async () => {
    const { outcome, expected, missing, doubled, ifCounted, verdict } = await under('capped-size', byOffset)
    assert.deepEqual(
      { outcome, expected, missing, doubled },
      { outcome: 'misses', expected: 11, missing: 9, doubled: 0 },
    )
    assert.equal(verdict?.verdict, 'unproven')
    assert.equal(ifCounted, 'reports')
  })

  test('a cursor does not mind pages that are capped, short or empty, nor rows that move', async () => {
    const strategy = { type: 'CursorPagination', cursor_value: '{{ response.next }}', page_size: 3 }
    const sized = { page_size_option: option('request_parameter', 'limit'), pagination_strategy: strategy }
    const results = await surveyed({ ...keyed, paginator: cursorPaginator('', undefined, sized) })
    for (const fault of ['capped-size', 'short-page', 'empty-page', 'inserted-rows', 'deleted-rows']) {
      assert.equal(results.get(fault)?.outcome, 'survives', fault)
    }
  })

  test('a stop condition that counts the records of a page is fooled by a short one', async () => {
    const paginator = cursorPaginator('{{ response.next }}', '{{ last_page_size < 3 }}')
    const { outcome, missing } = await under('short-page', { ...keyed, paginator })
    assert.deepEqual([outcome, missing > 0], ['misses', true])
  })

  test('circular reads are ended by the loop guard', async () => {
    const never = cursorPaginator('{{ response.next }}', '{{ false }}')
    for (const fault of ['cycle', 'repeated-cursor', 'ignored-parameter']) {
      const { outcome, error } = await under(fault, { ...keyed, paginator: never })
      assert.deepEqual([outcome, error?.code], ['reports', 'pagination/loop'], fault)
    }
  })

  test('rows that move are missed by counting', async () => {
    const results = await surveyed(byOffset, { faults: ['inserted-rows', 'deleted-rows'] })
    assert.equal(results.get('inserted-rows')?.doubled, 2)
    assert.equal(results.get('deleted-rows')?.missing, 2)
  })

  test('a wrong total is reported where nothing else has a count', async () => {
    const { outcome, verdict, missing } = await under('wrong-total', byOffset)
    assert.deepEqual([outcome, verdict?.verdict, missing], ['reports', 'incomplete', 0])
  })

  test('a repeated page is found by its keys', async () => {
    const { outcome, doubled, verdict } = await under('duplicate-page', byOffset)
    assert.deepEqual([outcome, doubled, verdict?.verdict], ['reports', 3, 'duplicated'])
  })

  test('the first request decides whether an API that is strict about it is survived', async () => {
    const withFirst = offsetPaginator({ page_size: 3, inject_on_first_request: true })
    const strict = { faults: ['rejects-first', 'requires-first'] }
    const without = await surveyed(byOffset, strict)
    const with_ = await surveyed({ ...keyed, paginator: withFirst }, strict)
    assert.deepEqual(
      [...without.values()].map(({ outcome }) => outcome),
      ['survives', 'reports'],
    )
    assert.deepEqual(
      [...with_.values()].map(({ outcome }) => outcome),
      ['reports', 'survives'],
    )
  })

  test('a page may be requested with any placement and any token', async () => {
    const post = { http_method: 'POST' }
    const byNumber = { type: 'PageIncrement', start_from_page: 1, page_size: 3 }
    const next = "{{ next_page_token['next_page_token'] if next_page_token else 1 }}"
    const link = cursorPaginator("{{ headers['link']['next']['url'] }}", "{{ 'next' not in headers['link'] }}")
    const ways: Record<string, StreamParts> = {
      'a header': { paginator: offsetPaginator({ page_size: 3 }, { page_token_option: option('header', 'X-Offset') }) },
      'a path': { requester: { path: `/items/${next}` }, paginator: { pagination_strategy: byNumber } },
      'a JSON body': {
        requester: post,
        paginator: cursorPaginator('{{ response.next }}', undefined, {
          page_token_option: option('body_json', ['at', 'cursor']),
        }),
      },
      'a form': {
        requester: post,
        paginator: cursorPaginator('{{ response.next }}', undefined, {
          page_token_option: option('body_data', 'cursor'),
        }),
      },
      'a Link header': { fieldPath: [], paginator: { ...link, page_token_option: { type: 'RequestPath' } } },
      'the number of the page': {
        paginator: cursorPaginator('{{ response.page + 1 }}', '{{ response.page >= response.total_pages }}'),
      },
      'the last record': { paginator: cursorPaginator("{{ last_record['id'] }}", '{{ not response.has_more }}') },
    }
    for (const [way, parts] of Object.entries(ways)) {
      const results = await surveyed({ ...keyed, ...parts }, { faults: ['cycle', 'slow-body', 'html'] })
      assert.deepEqual(
        [...results.values()].map(({ outcome }) => outcome),
        ['reports', 'survives', 'reports'],
        way,
      )
      assert.equal(results.get('cycle')?.error?.code, 'pagination/loop', way)
    }
  })

  test('pages too large to be tried are left out', async () => {
    const huge = manifestOf({ paginator: offsetPaginator({ page_size: 1_000_000 }) })
    const { results, skipped } = await survey(JSON.stringify(huge))
    assert.deepEqual(results, [])
    assert.match(skipped[0]?.why ?? '', /^asks for 1,000,000 records a page/)
  })

  test('an error that the manifest takes for the end fools it', async () => {
    const requester = { error_handler: handler({ action: 'IGNORE', http_codes: [400] }) }
    const { outcome, missing, error } = await under('expired-cursor', { ...byCursor, requester })
    assert.deepEqual([outcome, missing > 0, error], ['misses', true, null])
  })

  test('a manifest that fails where it should wait reports it', async () => {
    const requester = { error_handler: handler({ action: 'FAIL', http_codes: [429] }) }
    assert.equal((await under('rate-limit', byOffset)).outcome, 'survives')
    assert.equal((await under('rate-limit', { ...byOffset, requester })).outcome, 'reports')
  })

  test('links to another host are followed without credentials, which that host may want', async () => {
    const paginator = { ...cursorPaginator('{{ response.next }}'), page_token_option: { type: 'RequestPath' } }
    const authenticator = { type: 'BearerAuthenticator', api_token: "{{ config['token'] }}" }
    const spec = {
      type: 'object',
      required: ['token'],
      properties: { token: { type: 'string', airbyte_secret: true } },
    }
    assert.equal((await under('foreign-link', { ...keyed, paginator })).outcome, 'survives')
    const { outcome, error } = await under('foreign-link', { ...keyed, paginator, requester: { authenticator }, spec })
    assert.deepEqual([outcome, error?.code], ['reports', 'response/rejected'])
  })

  test('a cut answer that still decodes, line by line, is noticed or called fooled, never survived', async () => {
    const { outcome, missing } = await under('truncated', {
      ...byOffset,
      fieldPath: [],
      retriever: { decoder: { type: 'JsonlDecoder' } },
    })
    assert.notEqual(outcome, 'survives')
    assert.ok(missing > 0)
  })

  test('a fault that makes no sense says why', async () => {
    const offset = await surveyed(byOffset)
    assert.equal(offset.get('expired-cursor')?.says, 'No cursor is handed out.')
    assert.equal(offset.get('foreign-link')?.says, 'The next page is not requested by a link.')
    const cursor = await surveyed(byCursor)
    assert.equal(cursor.get('capped-size')?.says, 'The manifest asks for no page size.')
    assert.equal(cursor.get('rejects-first')?.says, 'The manifest sends no number of a page or record.')
    const onePage = await surveyed(keyed, { streams: ['items'] })
    assert.equal(onePage.get('cycle')?.says, 'The stream reads one page.')
    assert.equal(onePage.get('rate-limit')?.outcome, 'survives')
  })

  test('a change of the manifest that fixes it is named once diagnosis has tried it', async () => {
    const capped = await under('capped-size', { ...keyed, paginator: offsetPaginator({ page_size: 20 }) })
    assert.match(capped.says, /Diagnosis fixes it: Set page_size to 10, the size that the API sends\.$/)
    assert.match((await under('requires-first', byOffset)).says, /Diagnosis fixes it: .* on the first request too\.$/)
    for (const fault of ['ignored-parameter', 'cycle', 'html']) {
      assert.doesNotMatch((await under(fault, byOffset)).says, /Diagnosis/, fault)
    }
  })

  test('no request leaves for the host of the manifest', async () => {
    await using api = await serveApi({ 'GET /items': () => ({ json: { data: [] } }) })
    const results = await surveyed({ ...byOffset, url: api.url })
    assert.equal(results.size, faults.length)
    assert.deepEqual(api.asked, [])
  })

  test('values of the config are made up where none are given, and given ones are in no result', async () => {
    const authenticator = {
      type: 'ApiKeyAuthenticator',
      api_token: "{{ config['key'] }}",
      inject_into: option('request_parameter', 'api_key'),
    }
    const spec = { type: 'object', required: ['key'], properties: { key: { type: 'string', airbyte_secret: true } } }
    const parts = { ...byOffset, requester: { authenticator }, spec }
    assert.equal((await surveyed(parts)).get('rate-limit')?.outcome, 'survives')
    const given = await surveyed(parts, { config: { key: 'hunter2hunter2' } })
    assert.doesNotMatch(JSON.stringify([...given]), /hunter2/)
  })

  test('a survey that is cancelled ends at once, and reports no more results', async () => {
    const stopping = new AbortController()
    const seen: string[] = []
    const onResult = ({ fault }: SurveyResult) => {
      seen.push(fault)
      stopping.abort()
    }
    const ended = survey(JSON.stringify(manifestOf(byOffset)), { signal: stopping.signal, onResult })
    await assert.rejects(ended, { code: 'response/aborted' })
    assert.equal(seen.length, 1)
  })

  test('unknown faults and streams are refused with the nearest name', async () => {
    const text = JSON.stringify(manifestOf(byOffset))
    await assert.rejects(survey(text, { faults: ['cycel'] }), { code: 'lab/unknown-fault', hint: /"cycle"/ })
    await assert.rejects(survey(text, { streams: ['itens'] }), { code: 'manifest/unknown-stream', hint: /"items"/ })
  })

  test('a stream that does not read even without a fault is left out, and says why', async () => {
    const authenticator = { type: 'CustomAuthenticator', class_name: 'source.components.Own' }
    const { results, skipped } = await survey(JSON.stringify(manifestOf({ ...byOffset, requester: { authenticator } })))
    assert.deepEqual(results, [])
    assert.match(skipped[0]?.why ?? '', /source\.components\.Own/)
  })

  test('of streams that turn their pages alike, the first is read', async () => {
    const { results, skipped } = await survey(readFileSync('connectors/lab/manifest.yaml', 'utf8'), {
      faults: ['html'],
    })
    assert.equal(results.length, 10)
    assert.deepEqual(skipped.find(({ stream }) => stream === 'secure_bearer')?.why, 'paginates as offset does')
    assert.deepEqual(skipped.find(({ stream }) => stream === 'all')?.why, 'reads one page')
  })
})

function handler(filter: Record<string, unknown>) {
  return { type: 'DefaultErrorHandler', response_filters: [{ type: 'HttpResponseFilter', ...filter }] }
}
