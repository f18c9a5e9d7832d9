/** One stream read by several processes: the lead plans and publishes, the others read parts. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadManifest, type LoadedManifest } from '../../src/connector/load-manifest.ts'
import { leadClaim } from '../../src/destinations/destination.ts'
import { type PlannedParts, planParts, type PlanPartsOptions } from '../../src/sync/plan-parts.ts'
import { readPart } from '../../src/sync/read-part.ts'
import { sync } from '../../src/sync/sync.ts'
import { postgresPlace, type PostgresPlace } from '../destinations/postgres/place.ts'
import { offsetPaginator, option, sourceOf, streamOf } from '../helpers/manifests.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'
import { freshDatabase } from '../helpers/postgres.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { until } from '../helpers/until.ts'
import { oneByOne, type PartTask, secondsApart } from './part-reader.ts'

let database: ReturnType<typeof freshDatabase> | undefined
const freshPlace = async () => postgresPlace((await (database ??= freshDatabase())).url)
after(async () => (await database)?.[Symbol.asyncDispose]())

const shops = Array.from({ length: 8 }, (_, number) => `shop ${number}`)
const ordersOfShop = 7
const orders = shops.flatMap((shop, index) =>
  Array.from({ length: ordersOfShop }, (_, number) => ({
    id: index * 100 + number,
    shop,
    day: `2024-01-${String(1 + number * 4).padStart(2, '0')}`,
    // Parts find columns that other parts do not.
    [`note ${index}`]: 'x',
  })),
)

/** Holds the last page of the last shop while `isHolding`. */
async function serveOrders() {
  let isHolding = false
  let reached = () => {}
  const api = await serveApi({
    'GET /items': async (query) => {
      const [shop, offset] = [query.get('shop'), Number(query.get('offset') ?? 0)]
      const [from = '', to = '3'] = ['from', 'to'].map((name) => query.get(name) ?? undefined)
      const found = orders.filter((one) => one.shop === shop && one.day >= from && one.day <= to)
      if (isHolding && shop === shops.at(-1) && offset > 0) {
        reached()
        return { raw: () => {} }
      }
      return { json: { data: found.slice(offset, offset + 3) } }
    },
  })
  return {
    ...api,
    /** Resolves when a request waits for that page. */
    hold: () => {
      isHolding = true
      return new Promise<void>((resolve) => (reached = resolve))
    },
    release: () => void (isHolding = false),
  }
}

const router = {
  type: 'ListPartitionRouter',
  values: shops,
  cursor_field: 'shop',
  request_option: option('request_parameter', 'shop'),
}

const byDay = {
  type: 'DatetimeBasedCursor',
  cursor_field: 'day',
  datetime_format: '%Y-%m-%d',
  start_datetime: '2024-01-01',
  end_datetime: '2024-01-31',
  step: 'P20D',
  cursor_granularity: 'P1D',
  start_time_option: option('request_parameter', 'from'),
  end_time_option: option('request_parameter', 'to'),
}

const manifestAt = (url: string, stream: Record<string, unknown>) =>
  sourceOf([streamOf({ url, paginator: offsetPaginator(), retriever: { partition_router: router }, stream })])

/** Reads the part in a process of its own, and kills it when `when` happens. */
async function killReader(task: PartTask, when: Promise<void>): Promise<void> {
  const program = fileURLToPath(new URL('./part-reader.js', import.meta.url))
  const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: 'inherit' })
  const exited = once(child, 'exit')
  await Promise.race([when, exited])
  child.kill('SIGKILL')
  assert.deepEqual(await exited, [null, 'SIGKILL'])
}

const checkpoint = async (place: PostgresPlace, prefix: string) =>
  (await place.query('SELECT key, text FROM _turnleaf_notes WHERE left(key, length($1)) = $1', [prefix])).map(
    ({ text }) => JSON.parse(String(text)) as Record<string, unknown>,
  )

const planItems = async (manifest: LoadedManifest, options: Omit<PlanPartsOptions, 'streams'>) => {
  const [planned] = await planParts(manifest, { ...options, streams: ['items'] })
  return planned as PlannedParts
}

/** Without the seconds that the read took. */
const timeless = (state: unknown) => (state === null ? null : { ...(state as object), lookback_window: undefined })

/** Waits for the first commit of the part that reads this shop. */
async function untilCommitted(place: PostgresPlace, shop: string): Promise<void> {
  const hasShop = async () => JSON.stringify(await checkpoint(place, 'slice/')).includes(shop)
  await until(`a page of ${shop} is committed`, hasShop)
}

for (const [what, stream] of Object.entries({
  'a full refresh': { primary_key: 'id' },
  'an incremental stream': { primary_key: 'id', incremental_sync: byDay },
})) {
  test(`${what} is read in four parts, one of them killed and replaced; the lead then requests nothing`, async () => {
    await using place = await freshPlace()
    await using api = await serveOrders()
    const manifest = manifestAt(api.url, stream)
    const slicesOfPart = (what === 'a full refresh' ? shops.length : shops.length * 2) / 4
    const target = { to: place.url, schema: place.schema, stream: 'items' }
    const planned = await planItems(loadManifest(manifest), { ...target, partSize: slicesOfPart })
    assert.deepEqual(planned, { ...planned, parts: 4, slices: slicesOfPart * 4, reason: null })
    assert.deepEqual(api.asked, [])
    const { lead } = planned
    const read = (part: number) =>
      readPart(loadManifest(manifest), { ...target, ...oneByOne, part, lead, now: secondsApart() })

    const held = api.hold().then(() => untilCommitted(place, shops.at(-2) ?? ''))
    const [first] = await Promise.all([
      read(1),
      read(2),
      read(3),
      killReader({ manifest, ...target, part: 4, lead }, held),
    ])
    assert.deepEqual(first, { ...first, ending: 'read', slices: slicesOfPart, records: 2 * ordersOfShop })
    api.release()
    const before = api.asked.length
    const replaced = await read(4)
    assert.deepEqual(replaced, { ...replaced, ending: 'read', records: 2 * ordersOfShop })
    // It resumed: of the pages that the killed process had committed, only the last one was requested again.
    const pagesOfPart = api.asked.slice(0, before).filter((line) => !/shop\+[67]/.test(line)).length / 3
    assert.ok(api.asked.length - before <= pagesOfPart, `${api.asked.length - before} of ${pagesOfPart}`)
    // The keys of its earlier pages are not known.
    const judged = (await checkpoint(place, 'slice/')).map((slice) => slice.judged as { keys: unknown })
    assert.equal(judged.filter(({ keys }) => keys === null).length, 1)
    assert.equal(await place.rows('items'), null)

    const requested = api.asked.length
    const { ending, receipts } = await sync(loadManifest(manifest), { ...target, claim: leadClaim, prefetch: 'off' })
    assert.equal(api.asked.length, requested)
    assert.deepEqual([ending, receipts[0]?.records, receipts[0]?.ending], ['complete', orders.length, 'complete'])
    const rows = (await place.rows('items')) ?? []
    assert.deepEqual(
      rows.map(({ id }) => Number(id)).toSorted((one, other) => one - other),
      orders.map(({ id }) => id),
    )
    assert.equal(Object.keys(Object.assign({}, ...rows)).filter((name) => name.startsWith('note')).length, shops.length)
    for (const left of ['slice/', 'part/']) assert.deepEqual(await checkpoint(place, left), [])

    // The same state and the same proof as those of one process.
    const memory = memoryDestination()
    const alone = await sync(loadManifest(manifest), { to: memory, prefetch: 'off' })
    const [state] = await checkpoint(place, 'stream/')
    assert.deepEqual(timeless(state?.state), timeless(JSON.parse(memory.notes.get('stream/items') ?? '').state))
    const proof = ({ verdict, reason, slices, pages }: (typeof receipts)[number]) => ({
      verdict,
      reason,
      slices,
      pages,
    })
    assert.deepEqual(receipts.map(proof), alone.receipts.map(proof))
    await assert.rejects(read(1), { code: 'destinations/taken-over' })
  })
}

test('what parts left unread, the lead reads', async () => {
  await using place = await freshPlace()
  await using api = await serveOrders()
  const manifest = loadManifest(manifestAt(api.url, { primary_key: 'id' }))
  const target = { to: place.url, schema: place.schema, stream: 'items', prefetch: 'off' } as const
  const { lead, parts } = await planItems(manifest, { ...target, partSize: 3 })
  assert.equal(parts, 3)
  await readPart(manifest, { ...target, part: 2, lead })
  const requested = api.asked.length
  await sync(manifest, { ...target, claim: leadClaim })
  assert.deepEqual(
    api.asked.slice(requested).filter((line) => /shop\+[345]/.test(line)),
    [],
  )
  const rows = (await place.rows('items')) ?? []
  assert.equal(new Set(rows.map(({ id }) => id)).size, orders.length)
  assert.equal(rows.length, orders.length)
})

test('a part is not read with another connector, nor where processes cannot share', async () => {
  await using place = await freshPlace()
  await using api = await serveOrders()
  const manifest = loadManifest(manifestAt(api.url, { primary_key: 'id' }))
  const target = { to: place.url, schema: place.schema, stream: 'items' }
  const { lead } = await planItems(manifest, target)
  const other = loadManifest(manifestAt(`${api.url}/v2`, { primary_key: 'id' }))
  await assert.rejects(readPart(other, { ...target, part: 1, lead }), { code: 'sync/other-plan' })
  await assert.rejects(readPart(manifest, { ...target, part: 2, lead }), { code: 'sync/other-plan' })
  await assert.rejects(planItems(manifest, { ...target, to: memoryDestination() }), {
    code: 'destinations/cannot-share',
  })
  assert.deepEqual(api.asked, [])
})

test('a stream of one slice stays whole, and says why', async () => {
  await using place = await freshPlace()
  const manifest = loadManifest(sourceOf([streamOf({})]))
  const { parts, reason } = await planItems(manifest, { to: place.url, schema: place.schema })
  assert.deepEqual({ parts, reason }, { parts: 0, reason: 'it has one slice' })
})

test('an incremental stream that follows the changes of its parents stays whole', async () => {
  await using place = await freshPlace()
  const parent = streamOf({ name: 'shops', stream: { incremental_sync: byDay } })
  const parent_stream_configs = [
    {
      type: 'ParentStreamConfig',
      stream: parent,
      parent_key: 'id',
      partition_field: 'shop',
      incremental_dependency: true,
    },
  ]
  const partition_router = { type: 'SubstreamPartitionRouter', parent_stream_configs }
  const items = streamOf({ retriever: { partition_router }, stream: { incremental_sync: byDay } })
  const { parts, reason } = await planItems(loadManifest(sourceOf([items])), { to: place.url, schema: place.schema })
  assert.deepEqual({ parts, reason }, { parts: 0, reason: 'it follows the changes of a parent stream' })
})
