/** Refresh tokens that work once: the next one is handed over before anything else happens, and is used from then on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as aTurn } from 'node:timers/promises'
import { loadManifest } from '../../../src/connector/load-manifest.ts'
import { openTokens } from '../../../src/engine/run/tokens.ts'
import type { Config } from '../../../src/engine/plan/plan.ts'
import { checkConnection } from '../../../src/protocol/check.ts'
import type { Message } from '../../../src/protocol/messages.ts'
import { readStreams } from '../../../src/protocol/read.ts'
import { readPages } from '../../../src/read-manifest.ts'
import { offsetPaginator, sourceOf, streamOf } from '../../helpers/manifests.ts'
import { assertHidden, authenticatedBy, oauth, pagesOf, serveWithTokens, type TokenAnswer } from './token-server.ts'

/** Each refresh token is taken once; the next one comes with the access token. */
function onceOnly(expires_in = 3600): TokenAnswer {
  let valid = 'rt-0'
  return (count, form) => {
    if (form.get('refresh_token') !== valid) return { status: 400, json: { error: 'invalid_grant' } }
    valid = `rt-${count}`
    return { json: { access_token: `at-secret-${count}`, refresh_token: valid, expires_in } }
  }
}

const config = { credentials: { client_id: 'id', client_secret: 'cs-s3cret', refresh_token: 'rt-0' }, page: 1 }
const updating = (url: string, updater: Record<string, unknown> = {}) =>
  oauth(url, { client_id: 'from the manifest', refresh_token_updater: updater })
const refreshTokenIn = (kept: Config | undefined) => (kept as typeof config | undefined)?.credentials.refresh_token
const startOfTime = 1_700_000_000_000

function twoStreams(url: string, check: Record<string, unknown> = {}) {
  const authenticator = updating(url)
  const paginator = offsetPaginator({ page_size: 2 })
  const streams = ['one', 'two'].map((name) => streamOf({ url, name, paginator, requester: { authenticator } }))
  const source = sourceOf(streams)
  return loadManifest(
    JSON.stringify({ ...source, check: { type: 'CheckStream', stream_names: ['one', 'two'], ...check } }),
  )
}

test('the new tokens are handed over, with the date, before the next request', async () => {
  await using api = await serveWithTokens(onceOnly())
  const seen: { config: Config; asked: string[] }[] = []
  await pagesOf(authenticatedBy(api.url, updating(api.url)), {
    config,
    now: () => startOfTime,
    async onConfig(changed) {
      // Storing it may take a while.
      await aTurn()
      seen.push({ config: changed, asked: [...api.asked] })
    },
  })
  assert.deepEqual(seen, [
    {
      asked: ['POST /token'],
      config: {
        page: 1,
        credentials: {
          client_id: 'id',
          client_secret: 'cs-s3cret',
          refresh_token: 'rt-1',
          access_token: 'at-secret-1',
          token_expiry_date: '2023-11-14T23:13:20.000+00:00',
        },
      },
    },
  ])
  // Airbyte: the client of the config comes before that of the manifest.
  assert.match(
    api.requests[0]?.body ?? '',
    /^grant_type=refresh_token&client_id=id&client_secret=cs-s3cret&refresh_token=rt-0$/,
  )
  assert.deepEqual(config.credentials, { client_id: 'id', client_secret: 'cs-s3cret', refresh_token: 'rt-0' })
})

test('a later run uses the config it is given, and requests no token while the old one is good', async () => {
  await using api = await serveWithTokens(onceOnly())
  const manifest = authenticatedBy(api.url, updating(api.url))
  let kept: Config = config
  const options = { now: () => startOfTime, onConfig: (changed: Config) => void (kept = changed) }
  await pagesOf(manifest, { ...options, config: kept })
  await pagesOf(manifest, { ...options, config: kept })
  assert.equal(api.tokensGiven(), 1)
  await pagesOf(manifest, { ...options, config: kept, now: () => startOfTime + 3_600_000 })
  assert.equal(api.tokensGiven(), 2)
})

test('a token that expires in the middle of a read is renewed with the refresh token just got', async () => {
  await using api = await serveWithTokens(onceOnly(100))
  let now = startOfTime
  const kept: Config[] = []
  const options = {
    config,
    now: () => now,
    prefetch: 'off' as const,
    onConfig: (changed: Config) => void kept.push(changed),
  }
  for await (const _ of readPages(authenticatedBy(api.url, updating(api.url)), options)) now += 100_000
  assert.equal(kept.length, 2)
  assert.equal(refreshTokenIn(kept[1]), 'rt-2')
})

test('paths of its own, and a response without a new refresh token keeps the old one', async () => {
  await using api = await serveWithTokens((_, form) => ({ json: { access_token: `at for ${form.get('refresh')}` } }))
  const updater = {
    refresh_token_name: 'refresh',
    access_token_config_path: ['access'],
    refresh_token_config_path: ['deep', 'refresh'],
    token_expiry_date_config_path: ['until'],
  }
  const kept: Config[] = []
  await pagesOf(authenticatedBy(api.url, updating(api.url, updater)), {
    config: { deep: { refresh: 'rt-x' }, client_secret: 'cs' },
    now: () => startOfTime,
    onConfig: (changed) => void kept.push(changed),
  })
  assert.deepEqual(kept, [
    { deep: { refresh: 'rt-x' }, client_secret: 'cs', access: 'at for rt-x', until: '2023-11-14T23:13:20.000+00:00' },
  ])
})

test('two streams of one read: one token request, one CONTROL message, ahead of all records', async () => {
  await using api = await serveWithTokens(onceOnly())
  const messages: Message[] = []
  const manifest = twoStreams(api.url)
  const streams = ['one', 'two'].map((name) => ({ name, isIncremental: false }))
  const outcomes = await readStreams({
    manifest,
    config,
    streams,
    states: new Map(),
    options: {},
    emit: (given) => void messages.push(...given),
  })
  assert.deepEqual(
    outcomes.map(({ ending }) => ending),
    ['complete', 'complete'],
  )
  assert.equal(api.tokensGiven(), 1)
  const kinds = messages.map(({ type }) => type).filter((type) => type === 'CONTROL' || type === 'RECORD')
  assert.deepEqual(kinds, ['CONTROL', ...Array.from({ length: 6 }, () => 'RECORD')])
  const others = messages.filter(({ type }) => type !== 'CONTROL')
  assertHidden(others, ['at-secret', 'rt-0', 'rt-1', 'cs-s3cret'])
})

test('a check hands the new tokens over too, without what holds during a check only', async () => {
  await using api = await serveWithTokens(onceOnly())
  const kept: Config[] = []
  const manifest = twoStreams(api.url, { config_overrides: { page: 7, more: 1 } })
  const { messages } = await checkConnection(manifest, config, { onConfig: (changed) => void kept.push(changed) })
  assert.deepEqual(messages.at(-1), { type: 'CONNECTION_STATUS', connectionStatus: { status: 'SUCCEEDED' } })
  assert.equal(api.tokensGiven(), 1)
  assert.equal(kept.length, 1)
  assert.equal(kept[0]?.['page'], 1)
  assert.equal('more' in (kept[0] ?? {}), false)
  assert.equal(refreshTokenIn(kept[0]), 'rt-1')
})

test('a read that is cancelled while a token is on its way still hands it over', async () => {
  const leave = new AbortController()
  const answer = onceOnly()
  await using api = await serveWithTokens(async (count, form) => {
    leave.abort()
    await aTurn()
    return answer(count, form)
  })
  const kept: Config[] = []
  const onConfig = (changed: Config) => void kept.push(changed)
  const read = pagesOf(authenticatedBy(api.url, updating(api.url)), { config, signal: leave.signal, onConfig })
  await assert.rejects(read, { code: 'response/aborted' })
  assert.equal(refreshTokenIn(kept[0]), 'rt-1')
})

test('a refused access token spends a refresh token only where the next one is stored', async () => {
  for (const [onConfig, tokens] of [
    [undefined, 0],
    [() => {}, 1],
  ] as const) {
    await using api = await serveWithTokens(onceOnly(), (authorization) => authorization !== 'Bearer at-stale')
    const credentials = { ...config.credentials, access_token: 'at-stale', token_expiry_date: '2999-01-01T00:00:00Z' }
    const read = pagesOf(authenticatedBy(api.url, updating(api.url)), { config: { credentials }, onConfig })
    await (tokens === 0 ? assert.rejects(read, { code: 'response/rejected' }) : read)
    assert.equal(api.tokensGiven(), tokens)
  }
})

test('a refusal by the rules of the updater asks for a new sign-in', async () => {
  const rules = {
    refresh_token_error_status_codes: [500],
    refresh_token_error_key: 'err',
    refresh_token_error_values: ['gone'],
  }
  await using api = await serveWithTokens(() => ({ status: 500, json: { err: 'gone' } }))
  const read = pagesOf(authenticatedBy(api.url, updating(api.url, rules)), { config })
  await assert.rejects(read, { code: 'request/token-refused', failureType: 'config_error', hint: /Sign in again/ })
  assert.equal(api.tokensGiven(), 1)
})

test('what keeps the config may fail: the read fails, the tokens are not forgotten', async () => {
  await using api = await serveWithTokens(onceOnly())
  const manifest = authenticatedBy(api.url, updating(api.url))
  const tokens = openTokens()
  const failing = () => Promise.reject(new Error('disk full'))
  await assert.rejects(pagesOf(manifest, { config, tokens, onConfig: failing }), /disk full/)
  await pagesOf(manifest, { config, tokens })
  assert.equal(api.tokensGiven(), 2)
})
