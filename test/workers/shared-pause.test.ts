/** An API that asks for a pause, and worker processes that read one stream of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifestOf, stream } from '../cli/shop.ts'
import { option } from '../helpers/manifests.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { until } from '../helpers/until.ts'
import { workerWorld } from './world.ts'

const shops = Array.from({ length: 40 }, (_, index) => `shop${index}`)
const readers = 4
const pauseMs = 3000

/**
 * Once every reader waits for a response, one of them is told to pause. The others get their pages when `release` is called.
 * Requests that come before the pause is over are answered as any other: a worker that does not know of the pause continues to read.
 */
async function servePausing() {
  let waiting: (() => void)[] = []
  let pausedAt: number | null = null
  let early = 0
  const api = await serveApi({
    'GET /orders': async (query) => {
      // A timer may be early by as much as it is rounded.
      if (pausedAt !== null && performance.now() < pausedAt + pauseMs - 20) early++
      if (pausedAt === null) {
        if (waiting.length === readers - 1) {
          pausedAt = performance.now()
          return { status: 429, headers: { 'retry-after': String(pauseMs / 1000) }, text: 'too many' }
        }
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      const [index, offset] = [shops.indexOf(query.get('shop') ?? ''), Number(query.get('offset') ?? 0)]
      return { json: { data: [0, 1, 2].map((number) => ({ id: index * 10 + number })).slice(offset, offset + 2) } }
    },
  })
  const release = () => {
    for (const answer of waiting) answer()
    waiting = []
  }
  return { ...api, release, early: () => early }
}

test('a pause that the API asks one worker for holds on all: none sends a request before it is over', async () => {
  await using world = await workerWorld()
  await using api = await servePausing()
  const one = stream(api.url, { name: 'orders' }) as { retriever: Record<string, unknown> }
  one.retriever.partition_router = {
    type: 'ListPartitionRouter',
    values: shops,
    cursor_field: 'shop',
    request_option: option('request_parameter', 'shop'),
  }
  await world.write('connectors/shop/manifest.json', manifestOf([one]))
  await world.connect('shop', { concurrency: '1', mode: 'full-refresh-append' })
  const args = ['--syncs', '1', '--parts', '2', '--part-size', '5', '--split-from', '8']
  await using first = await world.worker(args)
  await using second = await world.worker(args)
  await using follower = world.start(['sync', 'shop', '--on'])
  follower.child.stderr.resume()
  const isPaused = async () => {
    const [table] = await world.database.query(
      `SELECT to_regclass('turnleaf_workers._turnleaf_budgets') IS NOT NULL AS known`,
    )
    if (table?.known !== true) return false
    const rows = await world.database.query('SELECT state::text AS state FROM turnleaf_workers._turnleaf_budgets')
    return rows.some(({ state }) => (JSON.parse(String(state)) as { pausedUntil: number }).pausedUntil > 0)
  }
  await until('a worker is told to pause', isPaused)
  api.release()
  assert.equal(await follower.ended, 0)
  // Each of the three that had a request under way may have sent its next one before it was told.
  assert.ok(api.early() < readers, `${api.early()} of ${api.asked.length} requests came during the pause`)
  assert.deepEqual(
    await world.ids('shop'),
    shops.flatMap((_, index) => [0, 1, 2].map((number) => index * 10 + number)),
  )
  for (const { child, ended, log } of [first, second]) {
    child.kill('SIGTERM')
    await ended
    assert.ok((await log()).some(({ event, ending }) => event === 'part-ended' && ending === 'read'))
  }
})
