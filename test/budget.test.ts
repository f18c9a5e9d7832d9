/** A manifest's budget in a whole read: pages, redirects and retries count, whatever sends them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, type Notice, readRecords } from '../src/index.ts'
import { hasCode } from './engine/response/asking.ts'
import { fakeClock } from './helpers/fake-clock.ts'
import { manifestOf, offsetPaginator } from './helpers/manifests.ts'
import { type Handler, serveApi } from './helpers/serve-api.ts'

const budget = (limit: unknown) => ({
  type: 'HTTPAPIBudget',
  policies: [{ type: 'MovingWindowCallRatePolicy', rates: [{ limit, interval: 'PT1S' }], matchers: [] }],
})

/** A clock that moves as soon as a reader sleeps: there is one reader, and it waits. */
function sleeper() {
  const clock = fakeClock(0)
  return { now: clock.now, sleep: async (ms: number) => clock.set(clock.now() + ms) }
}

const paged: Handler = (query) => {
  const offset = Number(query.get('offset') ?? 0)
  const left = [1, 2, 3, 4, 5, 6, 7].slice(offset, offset + 3)
  return { json: { data: left.map((id) => ({ id })) } }
}

test('pages, redirects and retries count alike', async () => {
  const clock = sleeper()
  const asked: string[] = []
  let failures = 1
  const note =
    (handler: Handler): Handler =>
    (query, request) => {
      asked.push(`${clock.now()} ${request.path}`)
      return handler(query, request)
    }
  await using api = await serveApi({
    'GET /items': note((query) => ({ status: 307, headers: { location: `/moved?${query.toString()}` } })),
    'GET /moved': note((query, request) => (failures-- > 0 ? { status: 503 } : paged(query, request))),
  })
  const notices: Notice[] = []
  const manifest = loadManifest({
    ...manifestOf({ url: api.url, paginator: offsetPaginator() }),
    api_budget: budget(1),
  })
  const ids: unknown[] = []
  for await (const { id } of readRecords(manifest, {
    ...clock,
    prefetch: 'off',
    random: () => 0,
    onNotice: (one) => notices.push(one),
  })) {
    ids.push(id)
  }
  assert.deepEqual(ids, [1, 2, 3, 4, 5, 6, 7])
  assert.deepEqual(
    asked.map((line) => line.split(' ')[1]),
    ['/items', '/moved', '/items', '/moved', '/items', '/moved', '/items', '/moved'],
  )
  const moments = asked.map((line) => Number(line.split(' ')[0]))
  for (const [index, moment] of moments.entries()) assert.ok(index === 0 || moment - (moments[index - 1] ?? 0) >= 1000)
  assert.ok(notices.some(({ kind }) => kind === 'budget'))
})

test('a budget that cannot be is refused before anything is asked, without the secret that is in it', async () => {
  await using api = await serveApi({ 'GET /items': paged })
  const spec = { type: 'object', properties: { key: { type: 'string', airbyte_secret: true } } }
  const manifest = loadManifest({ ...manifestOf({ url: api.url, spec }), api_budget: budget("{{ config['key'] }}") })
  const reading = async () => {
    for await (const _ of readRecords(manifest, { config: { key: 'hush-hush-hush' } }));
  }
  await assert.rejects(reading, (error) => hasCode('plan/invalid-number')(error) && !/hush/.test(String(error)))
  assert.deepEqual(api.asked, [])
})
