/** A connector's own error handler, backoff strategy and requester, in whole reads against a real server. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadManifest, type Notice, type Page, type ReadOptions, readPages } from '../src/index.ts'
import { hasCode } from './engine/response/asking.ts'
import { manifestOf, offsetPaginator, option } from './helpers/manifests.ts'
import { type Answer, serveApi } from './helpers/serve-api.ts'

const classes = `
import { BackoffStrategy, ErrorHandler, Requester } from 'turnleaf'
import type { BackoffContext, ErrorContext, HttpRequest, Interpretation, RequestContext } from 'turnleaf'

export class Portal extends ErrorHandler {
  override get maxRetries() { return 2 }
  interpret({ response, error }: ErrorContext): Interpretation | null {
    if (error !== null) return this.parameters['on_failure'] as Interpretation | null
    if (response.status === 477) return { action: 'rate-limited', message: 'The portal moves.', waitSeconds: 30 }
    const body = response.body as { state?: string } | null
    if (body?.state === 'locked') return { action: 'fail', message: 'Locked.', failureType: 'config_error' }
    return null
  }
}
export class Confused extends ErrorHandler {
  interpret() { return { action: 'RETRY' } as unknown as Interpretation }
}
export class ByQuota extends BackoffStrategy {
  waitSeconds({ response, attempt }: BackoffContext) {
    const rate = Number(response?.headers['x-rate'])
    return rate > 0 ? attempt / rate : null
  }
}
export class Never extends BackoffStrategy {
  waitSeconds() { return Number.NaN }
}
export class Asana extends Requester {
  override path(_context: RequestContext, path: string) { return path + '/all' }
  override query({ token }: RequestContext, query: Record<string, unknown>) {
    return { ...query, opt: 'a b', page: token === null ? 'first' : 'later', gone: null }
  }
  override headers(_context: RequestContext, headers: Record<string, unknown>) {
    return { ...headers, 'x-fields': '{{ not a template }}' }
  }
  override body({ slice }: RequestContext, body: unknown) {
    return { ...(body as object), region: slice.partition['region'] }
  }
}
export class Address extends Requester {
  override base() { return String(this.config['home']) }
}
export class Follows extends Requester {
  override base({ token }: RequestContext, base: string) { return token === null ? base : String(token) }
}
export class Stamped extends Requester {
  override async request(_context: RequestContext, request: HttpRequest) {
    return { ...request, url: request.url.replace(/^http:..[^/]*/, String(this.config['away'])), headers: { ...request.headers, 'x-stamp': '1' } }
  }
}
`

async function connector() {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-requests-'))
  await mkdir(join(folder, 'source_x'))
  await writeFile(join(folder, 'source_x/components.ts'), classes)
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

const named = (name: string) => `source_x.components.${name}`

async function read(manifest: Record<string, unknown>, options: ReadOptions = {}) {
  await using own = await connector()
  const waits: number[] = []
  const notices: Notice[] = []
  const pages: Page[] = []
  const loaded = loadManifest(manifest, { folder: own.folder })
  const tools: ReadOptions = { sleep: async (ms) => void waits.push(ms), onNotice: (one) => void notices.push(one) }
  for await (const page of readPages(loaded, { ...tools, random: () => 0, prefetch: 'off', ...options }))
    pages.push(page)
  return { ids: pages.flatMap(({ records }) => records.map(({ id }) => id)), pages, waits, notices }
}

function inTurn(...answers: Answer[]) {
  let turn = 0
  return { '*': () => answers[Math.min(turn++, answers.length - 1)] ?? {} }
}

const item = { json: { data: [{ id: 1 }] } }
const handled = (url: string, error_handler: object) => manifestOf({ url, requester: { error_handler } })
const portal = (fields: object = {}) => ({ type: 'CustomErrorHandler', class_name: named('Portal'), ...fields })

test('error handler: its word and its wait come before those of the manifest', async () => {
  await using api = await serveApi(inTurn({ status: 477 }, item))
  const backoff_strategies = [{ type: 'ConstantBackoffStrategy', backoff_time_in_seconds: 5 }]
  const { ids, waits, notices } = await read(handled(api.url, portal({ backoff_strategies })))
  assert.deepEqual([ids, waits], [[1], [30_000]])
  const [notice] = notices
  assert.ok(notice?.kind === 'retry' && notice.isRateLimited)
  assert.match(notice.reason, /^The portal moves\. \(http.*answered 477\)$/)
})

test('error handler: without an opinion its own filters decide, then the status, with the manifest’s waits', async () => {
  await using api = await serveApi(inTurn({ status: 418 }, { status: 503 }, item))
  const fields = {
    response_filters: [{ type: 'HttpResponseFilter', http_codes: [418], action: 'RETRY' }],
    backoff_strategies: [{ type: 'ConstantBackoffStrategy', backoff_time_in_seconds: 5 }],
  }
  const { ids, waits } = await read(handled(api.url, portal(fields)))
  assert.deepEqual([ids, waits], [[1], [5000, 5000]])
})

test('error handler: it knows how often to try, and looks into good responses too', async () => {
  await using api = await serveApi(inTurn({ status: 503 }))
  await assert.rejects(read(handled(api.url, portal())), hasCode('response/gave-up', /after 3 tries/))
  await using locked = await serveApi(inTurn({ json: { state: 'locked', data: [{ id: 1 }] } }))
  await assert.rejects(read(handled(locked.url, portal())), (error) => {
    const { failureType } = error as { failureType?: string }
    return hasCode('response/rejected', /^Locked\./)(error) && failureType === 'config_error'
  })
})

test('error handler: in turn with others, a refusal gives way', async () => {
  await using api = await serveApi(inTurn({ status: 404, json: { state: 'locked' } }))
  const other = { type: 'DefaultErrorHandler', response_filters: [{ http_codes: [404], action: 'IGNORE' }] }
  const composite = { type: 'CompositeErrorHandler', error_handlers: [portal(), other] }
  const { pages } = await read(handled(api.url, composite))
  assert.equal(pages.at(-1)?.stop, 'ignored')
})

const cut: Answer = { raw: (response) => void response.destroy() }

test('error handler: it may take a broken connection for the end, for a failure, or for another try', async () => {
  await using api = await serveApi({ '*': () => cut })
  const ignoring = await read(handled(api.url, portal({ on_failure: { action: 'ignore' } })))
  assert.deepEqual(
    ignoring.pages.map(({ stop, response }) => [stop, response.status]),
    [['ignored', 0]],
  )
  const failing = portal({ on_failure: { action: 'fail', message: 'The portal is gone.' } })
  await assert.rejects(read(handled(api.url, failing)), hasCode('response/cut-short', /^The portal is gone\./))
  const patient = portal({ on_failure: { action: 'retry', waitSeconds: 4 } })
  await assert.rejects(read(handled(api.url, patient)), hasCode('response/gave-up'))
  await assert.rejects(read(handled(api.url, portal({ on_failure: null }))), hasCode('response/gave-up'))
})

test('error handler: a word that is no action is the class’s mistake, and named so', async () => {
  await using api = await serveApi(inTurn(item))
  const confused = { type: 'CustomErrorHandler', class_name: named('Confused') }
  await assert.rejects(read(handled(api.url, confused)), hasCode('custom/class-failed', /Confused.*`RETRY` is none of/))
})

test('backoff strategy: its seconds are waited; without any the next strategy decides', async () => {
  const limited = (headers: Record<string, string>): Answer => ({ status: 429, headers })
  await using api = await serveApi(
    inTurn(limited({ 'x-rate': '0.5' }), limited({ 'x-rate': '0.5' }), limited({}), item),
  )
  const backoff_strategies = [
    { type: 'CustomBackoffStrategy', class_name: named('ByQuota') },
    { type: 'ConstantBackoffStrategy', backoff_time_in_seconds: 7 },
  ]
  const { ids, waits } = await read(handled(api.url, { type: 'DefaultErrorHandler', backoff_strategies }))
  assert.deepEqual([ids, waits], [[1], [2000, 4000, 7000]])
})

test('backoff strategy: what is no number is the class’s mistake', async () => {
  await using api = await serveApi(inTurn({ status: 503 }))
  const backoff_strategies = [{ type: 'CustomBackoffStrategy', class_name: named('Never') }]
  const reading = read(handled(api.url, { type: 'DefaultErrorHandler', backoff_strategies }))
  await assert.rejects(reading, hasCode('custom/class-failed', /Never/))
})

const requesting = (name: string, fields: object = {}) => ({
  type: 'CustomRequester',
  class_name: named(name),
  ...fields,
})

test('requester: each part starts from what the manifest says; paging, slice and credentials come after', async () => {
  await using api = await serveApi({
    '*': (query) => ({ json: { data: query.get('offset') === null ? [1, 2, 3].map((id) => ({ id })) : [] } }),
  })
  const manifest = manifestOf({
    url: api.url,
    requester: requesting('Asana', {
      http_method: 'POST',
      request_parameters: { kept: 'yes' },
      request_body_json: { by: "{{ config['who'] }}" },
      authenticator: { type: 'BearerAuthenticator', api_token: "{{ config['key'] }}" },
    }),
    paginator: offsetPaginator(),
    retriever: {
      partition_router: { type: 'ListPartitionRouter', values: ['eu'], cursor_field: 'region' },
    },
  })
  const { ids, pages } = await read(manifest, { config: { who: 'me', key: 'k-e-y' } })
  assert.deepEqual(ids, [1, 2, 3])
  assert.deepEqual(api.asked, [
    'POST /items/all?kept=yes&opt=a+b&page=first&limit=3',
    'POST /items/all?kept=yes&opt=a+b&page=later&offset=3&limit=3',
  ])
  const [request] = api.requests
  assert.deepEqual(JSON.parse(request?.body ?? ''), { by: 'me', region: 'eu' })
  assert.equal(request?.headers['x-fields'], '{{ not a template }}')
  assert.equal(request?.headers.authorization, 'Bearer k-e-y')
  assert.match(pages[0]?.request.url ?? '', /\/items\/all\?/)
})

test('requester: a manifest without an address leaves it to the class', async () => {
  await using api = await serveApi({ 'GET /items': () => item })
  const { ids } = await read(manifestOf({ requester: requesting('Address', { url_base: undefined }) }), {
    config: { home: api.url },
  })
  assert.deepEqual(ids, [1])
})

test('requester: credentials stay at home, whichever way the class leads the request away', async () => {
  await using away = await serveApi({ '*': () => ({ json: { data: [] } }) })
  await using api = await serveApi({ '*': () => ({ json: { data: [{ id: 1 }], next: away.url } }) })
  const authenticator = { type: 'BearerAuthenticator', api_token: "{{ config['key'] }}" }
  const config = { key: 'k-e-y', away: away.url }
  const pagination_strategy = { type: 'CursorPagination', cursor_value: '{{ response.next }}' }
  const paginator = { pagination_strategy, page_token_option: option('header', 'x-token') }
  await read(manifestOf({ url: api.url, requester: requesting('Follows', { authenticator }), paginator }), { config })
  await read(manifestOf({ url: api.url, requester: requesting('Stamped', { authenticator }) }), { config })
  assert.equal(away.requests.length, 2)
  assert.equal(away.requests[1]?.headers['x-stamp'], '1')
  assert.deepEqual(
    away.requests.map(({ headers }) => headers.authorization),
    [undefined, undefined],
  )
  assert.equal(api.requests[0]?.headers.authorization, 'Bearer k-e-y')
})

test('requester: an address that is none is the class’s mistake', async () => {
  await using api = await serveApi(inTurn(item))
  const lost = read(manifestOf({ url: api.url, requester: requesting('Stamped') }), { config: { away: 'nowhere' } })
  await assert.rejects(lost, hasCode('custom/class-failed', /Stamped.*no valid URL/))
})

test('a class that is not there is named before anything is asked', async () => {
  await using api = await serveApi(inTurn(item))
  const missing = { type: 'CustomErrorHandler', class_name: named('Missing') }
  await assert.rejects(read(handled(api.url, missing)), hasCode('plan/class-missing'))
  await assert.rejects(
    read(manifestOf({ url: api.url, requester: requesting('Portal') })),
    hasCode('plan/class-wrong-base'),
  )
  assert.deepEqual(api.asked, [])
})
