/** One budget for several processes, kept in Postgres. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openPostgresBudget } from '../../../src/destinations/postgres/postgres-budget.ts'
import { manifestOf, option } from '../../helpers/manifests.ts'
import { freshDatabase } from '../../helpers/postgres.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import type { BudgetTask } from './budget-reader.ts'
import { postgresPlace } from './place.ts'

let database: ReturnType<typeof freshDatabase> | undefined
const freshPlace = async () => postgresPlace((await (database ??= freshDatabase())).url)
after(async () => (await database)?.[Symbol.asyncDispose]())

const perHour = [{ limit: 10, intervalMs: 3_600_000 }]

test('several sessions lease no more calls together than one would', async () => {
  await using place = await freshPlace()
  const open = (scope: string) => openPostgresBudget(place.url, { schema: place.schema, scope })
  const [one, other, apart] = [await open('shop'), await open('shop'), await open('bank')]
  const leases = await Promise.all(
    Array.from({ length: 12 }, (_, turn) => (turn % 2 === 0 ? one : other).lease('policy 0', perHour, 3, [])),
  )
  assert.equal(
    leases.reduce((sum, { calls }) => sum + calls, 0),
    10,
  )
  // They end, and count for an hour more: also those of a session that is over.
  await one.end()
  const { calls, waitMs } = await other.lease('policy 0', perHour, 1, [{ agoMs: 0, calls: 10 }])
  assert.equal(calls, 0)
  assert.ok(waitMs > 3_000_000, String(waitMs))
  // Another connection has a quota of its own.
  assert.equal((await apart.lease('policy 0', perHour, 1, [])).calls, 1)
  for (const budget of [other, apart]) await budget.end()
})

test('a pause of one is a pause of all, also of those that come later', async () => {
  await using place = await freshPlace()
  const open = () => openPostgresBudget(place.url, { schema: place.schema, scope: 'shop' })
  const [one, other] = [await open(), await open()]
  const told = new Promise<[string, number]>((resolve) => other.onPause((key, ms) => resolve([key, ms])))
  one.onPause(() => assert.fail('its own pause'))
  await one.pause('origin https://api.test', 60_000)
  assert.deepEqual(await told, ['origin https://api.test', 60_000])
  await one.pause('policy 0', 60_000)
  const { calls, waitMs } = await other.lease('policy 0', perHour, 1, [])
  assert.equal(calls, 0)
  assert.ok(waitMs > 30_000, String(waitMs))
  const later = await open()
  const known: string[] = []
  later.onPause((key) => known.push(key))
  assert.deepEqual(known.toSorted(), ['origin https://api.test', 'policy 0'])
  for (const budget of [one, other, later]) await budget.end()
})

/** Two processes want sixty pages each of an API that allows thirty per hour; how many arrive until both wait. */
async function arriving(isShared: boolean): Promise<number> {
  await using place = await freshPlace()
  let quiet = () => {}
  const enough = new Promise<void>((resolve) => (quiet = resolve))
  let asked = 0
  await using api = await serveApi({
    'GET /items': () => {
      if (++asked >= (isShared ? 30 : 60)) quiet()
      return { json: { data: [] } }
    },
  })
  const values = Array.from({ length: 60 }, (_, number) => `shop ${number}`)
  const partition_router = {
    type: 'ListPartitionRouter',
    values,
    cursor_field: 'shop',
    request_option: option('request_parameter', 'shop'),
  }
  const rates = [{ type: 'Rate', limit: 30, interval: 'PT1H' }]
  const manifest = {
    ...manifestOf({ url: api.url, retriever: { partition_router } }),
    api_budget: { type: 'HTTPAPIBudget', policies: [{ type: 'MovingWindowCallRatePolicy', rates, matchers: [] }] },
  }
  const task: BudgetTask = { manifest, url: place.url, schema: place.schema, isShared }
  const program = fileURLToPath(new URL('./budget-reader.js', import.meta.url))
  const children = [1, 2].map(() => spawn(process.execPath, [program, JSON.stringify(task)], { stdio: 'inherit' }))
  const ends = children.map((child) => once(child, 'exit'))
  await Promise.race([enough, ...ends])
  // Both have leased all there is: the next question is answered with a wait of an hour.
  const budget = await openPostgresBudget(place.url, { schema: place.schema, scope: 'shop' })
  const { calls } = await budget.lease('policy 0', [{ limit: 30, intervalMs: 3_600_000 }], 30, [])
  if (isShared) assert.equal(calls, 0)
  await budget.end()
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(ends)
  return asked
}

test('two processes stay within the limit of one', async () => {
  assert.equal(await arriving(true), 30)
})

test('control: two processes that count for themselves send twice as much', async () => {
  assert.equal(await arriving(false), 60)
})
