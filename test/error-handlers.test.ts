/** A manifest's error handlers in a whole read, against a real server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, type Notice, type Page, type ReadOptions, readPages, readRecords } from '../src/index.ts'
import { failureTypeOf } from '../src/protocol/failure.ts'
import { hasCode } from './engine/response/asking.ts'
import { manifestOf, offsetPaginator } from './helpers/manifests.ts'
import { type Answer, type Handler, serveApi } from './helpers/serve-api.ts'

/** The stream's records, and what happened on the way; nothing sleeps. */
async function read(url: string, error_handler: Record<string, unknown>, options: ReadOptions = {}) {
  const manifest = loadManifest(manifestOf({ url, requester: { error_handler }, paginator: offsetPaginator() }))
  const waits: number[] = []
  const notices: Notice[] = []
  const tools: ReadOptions = {
    prefetch: 'off',
    sleep: async (ms) => void waits.push(ms),
    random: () => 0,
    onNotice: (notice) => notices.push(notice),
    ...options,
  }
  const ids: unknown[] = []
  for await (const { id } of readRecords(manifest, tools)) ids.push(id)
  return { ids, waits, notices }
}

/** These answers in turn, the last one for ever. */
function inTurn(...answers: Answer[]): { 'GET /items': Handler } {
  let turn = 0
  return { 'GET /items': () => answers[Math.min(turn++, answers.length - 1)] ?? {} }
}

const page = (...ids: number[]): Answer => ({ json: { data: ids.map((id) => ({ id })) } })
const filters = (...response_filters: object[]) => ({ type: 'DefaultErrorHandler', response_filters })

test('429: the header of the manifest says how long to wait', async () => {
  await using api = await serveApi(inTurn({ status: 429, headers: { 'x-wait': '12s', 'retry-after': '99' } }, page(1)))
  const backoff_strategies = [{ type: 'WaitTimeFromHeader', header: 'X-Wait', regex: '\\d+' }]
  const { ids, waits } = await read(api.url, { type: 'DefaultErrorHandler', backoff_strategies })
  assert.deepEqual([ids, waits], [[1], [12_000]])
})

test('404 ignored in the middle: what was read stays, the stream ends, and a notice says so', async () => {
  for (const refusal of [{ json: { data: [{ id: 9 }] } }, { text: '<html>gone</html>' }]) {
    await using api = await serveApi(inTurn(page(1, 2, 3), { status: 404, ...refusal }))
    const { ids, notices } = await read(api.url, filters({ http_codes: [404], action: 'IGNORE' }))
    assert.deepEqual(ids, [1, 2, 3])
    assert.deepEqual(api.asked, ['GET /items?limit=3', 'GET /items?offset=3&limit=3'])
    const [notice] = notices
    assert.match(notice?.kind === 'ignored' ? notice.reason : '', /answered 404 Not Found/)
  }
})

test('404 ignored: the page shows the response and why it is the last', async () => {
  await using api = await serveApi(inTurn({ status: 404, json: { message: 'no such thing' } }))
  const error_handler = filters({ http_codes: [404], action: 'IGNORE' })
  const pages: Page[] = []
  for await (const turned of readPages(loadManifest(manifestOf({ url: api.url, requester: { error_handler } })))) {
    pages.push(turned)
  }
  assert.deepEqual(
    pages.map(({ records, stop, response }) => [records, stop, response.status, response.body]),
    [[[], 'ignored', 404, { message: 'no such thing' }]],
  )
})

test('200 ignored: its records are read and pagination continues, as in Airbyte', async () => {
  await using api = await serveApi(inTurn(page(1, 2, 3), page(4)))
  const { ids } = await read(api.url, filters({ predicate: "{{ 'data' in response }}", action: 'IGNORE' }))
  assert.deepEqual(ids, [1, 2, 3, 4])
})

test('200 with a body that says no: the message of the manifest, without secrets', async () => {
  await using api = await serveApi(inTurn({ json: { ok: false, error: 'key k-123456 is blocked' } }))
  const error_handler = filters({
    predicate: '{{ response.ok is false }}',
    action: 'FAIL',
    failure_type: 'transient_error',
    error_message: 'The shop says: {{ response.error }}',
  })
  const spec = { type: 'object', properties: { key: { type: 'string', airbyte_secret: true } } }
  const manifest = loadManifest(manifestOf({ url: api.url, requester: { error_handler }, spec }))
  await assert.rejects(readRecords(manifest, { config: { key: 'k-123456' } }).next(), (error) => {
    assert.equal(failureTypeOf(error), 'transient_error')
    return hasCode('response/rejected', /^The shop says: key (?!k-).* is blocked \(.*\/items answered 200 OK\)$/)(error)
  })
  assert.equal(api.asked.length, 1)
})

test('200 that is not ready yet is asked again', async () => {
  await using api = await serveApi(inTurn({ json: { state: 'busy' } }, { json: { state: 'busy' } }, page(1)))
  const { ids, waits } = await read(api.url, {
    ...filters({ predicate: "{{ response.get('state') == 'busy' }}", action: 'RETRY' }),
    backoff_strategies: [{ type: 'ExponentialBackoffStrategy', factor: 2 }],
  })
  assert.deepEqual([ids, waits], [[1], [4000, 8000]])
})

test('max_retries of the manifest counts, and the reader of pages may still say otherwise', async () => {
  await using api = await serveApi(inTurn({ status: 503 }))
  const error_handler = { type: 'DefaultErrorHandler', max_retries: 2 }
  await assert.rejects(read(api.url, error_handler), hasCode('response/gave-up', /3 tries/))
  await assert.rejects(
    read(api.url, error_handler, { retry: { maxRetries: 0 } }),
    hasCode('response/gave-up', /one try/),
  )
  assert.equal(api.asked.length, 4)
})

test('a wait beyond the limit of the manifest ends the read; below it, ours does not count', async () => {
  await using api = await serveApi(inTurn({ status: 429, headers: { 'retry-after': '5000' } }, page(1)))
  const limited = (max_waiting_time_in_seconds: number) => ({
    type: 'DefaultErrorHandler',
    backoff_strategies: [{ type: 'WaitTimeFromHeader', header: 'Retry-After', max_waiting_time_in_seconds }],
  })
  await assert.rejects(read(api.url, limited(5000)), hasCode('response/gave-up', /max_waiting_time_in_seconds is 5000/))
  await using other = await serveApi(inTurn({ status: 429, headers: { 'retry-after': '5000' } }, page(1)))
  assert.deepEqual((await read(other.url, limited(5001))).waits, [5_000_000])
})
