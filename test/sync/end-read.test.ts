/** What a sync stores of a stream, by how its read ended. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, sync, type SyncOptions } from '../../src/index.ts'
import { manifestOf, option } from '../helpers/manifests.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'
import { type Answer, serveApi } from '../helpers/serve-api.ts'

/** A record for each day from a start to an end. */
function daysFrom(query: URLSearchParams): Answer {
  const [from, to] = [query.get('from') ?? '2024-01-01', query.get('to') ?? '2024-01-10']
  const days = Array.from({ length: 31 }, (_, index) => `2024-01-${String(index + 1).padStart(2, '0')}`)
  const data = days.filter((day) => day >= from && day <= to).map((day) => ({ id: day, day }))
  return { json: { data, total: data.length } }
}

const byDay = {
  type: 'DatetimeBasedCursor',
  cursor_field: 'day',
  datetime_format: '%Y-%m-%d',
  start_datetime: '2024-01-01',
  end_datetime: '2024-01-20',
  step: 'P10D',
  cursor_granularity: 'P1D',
  start_time_option: option('request_parameter', 'from'),
  end_time_option: option('request_parameter', 'to'),
}

async function place(isIncremental: boolean) {
  const refused: { when: (query: URLSearchParams) => Answer | null } = { when: () => null }
  const api = await serveApi({ 'GET /items': (query) => refused.when(query) ?? daysFrom(query) })
  const stream = { primary_key: 'id', ...(isIncremental && { incremental_sync: byDay }) }
  const manifest = loadManifest(manifestOf({ url: api.url, stream }))
  const to = memoryDestination()
  const run = async (options: Partial<SyncOptions> = {}) => {
    const { ending, run: name } = await sync(manifest, { to, prefetch: 'off', concurrency: 1, ...options })
    const stored = JSON.parse(to.notes.get('stream/items') ?? 'null')
    const slices = [...to.notes.keys()].filter((key) => key.startsWith('slice/')).length
    return { ending, name, stored, slices, rows: to.tables.get('items')?.length ?? 0 }
  }
  return { api, to, run, refused, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() }
}

const secondWindow = (query: URLSearchParams) => (query.get('from') === '2024-01-11' ? { status: 403, json: {} } : null)

test('after a whole read there is the state, and nothing that only serves to resume it', async () => {
  await using all = await place(true)
  const { ending, name, stored, slices, rows } = await all.run()
  assert.deepEqual([ending, slices, rows], ['complete', 0, 20])
  assert.deepEqual(stored, { state: { day: '2024-01-20' }, readIn: name, reading: null, failures: 0 })
})

test('a full refresh stores no state', async () => {
  await using all = await place(false)
  const { ending, name, stored, rows } = await all.run()
  assert.deepEqual([ending, rows], ['complete', 10])
  assert.deepEqual(stored, { state: null, readIn: name, reading: null, failures: 0 })
})

test('after a first failure the read is kept to be resumed; after the second one, the state moves as far as it can', async () => {
  await using all = await place(true)
  all.refused.when = secondWindow
  const first = await all.run()
  assert.deepEqual([first.ending, first.slices, first.rows], ['failed', 1, 0])
  const { reading } = first.stored
  assert.deepEqual(first.stored, { state: null, readIn: null, reading, failures: 1 })
  assert.deepEqual([reading.runs, reading.isGivenUp], [[first.name], undefined])

  const second = await all.run()
  assert.deepEqual([second.ending, second.slices, second.rows], ['failed', 1, 10])
  assert.equal(second.stored.state.day, '2024-01-10')
  assert.deepEqual([second.stored.readIn, second.stored.failures], [null, 2])
  assert.deepEqual(second.stored.reading, { ...reading, runs: [first.name, second.name], isGivenUp: true })

  all.refused.when = () => null
  const third = await all.run()
  assert.deepEqual([third.ending, third.slices, third.rows], ['complete', 0, 20])
  assert.deepEqual([third.stored.reading, third.stored.failures], [null, 0])
})

test('appended, what was read before a second failure is there already, and stays once', async () => {
  await using all = await place(true)
  all.refused.when = secondWindow
  const mode = 'incremental_append'
  await all.run({ mode })
  assert.equal((await all.run({ mode })).rows, 10)
  all.refused.when = () => null
  assert.equal((await all.run({ mode })).rows >= 20, true)
  const ids = all.to.tables.get('items')?.map(({ id }) => id)
  assert.equal(new Set(ids).size, 20)
})

test('a read that is held leaves the table and the last whole read as they are, until another one replaces it', async () => {
  await using all = await place(false)
  const whole = await all.run()
  all.refused.when = () => ({ json: { data: [{ id: 'x' }], total: 9 } })
  const held = await all.run()
  assert.deepEqual([held.ending, held.slices, held.rows], ['held', 0, 10])
  const { reason, table, ...counts } = held.stored.held
  assert.match(reason, /^the read is incomplete/)
  assert.equal(table.name, 'items')
  assert.deepEqual(counts, { staged: 1, existing: 10, stagedAs: null, run: held.name })
  assert.deepEqual({ ...held.stored, held: 0 }, { ...whole.stored, held: 0 })
  all.refused.when = () => null
  const again = await all.run()
  assert.deepEqual([again.ending, again.rows, again.stored.held], ['complete', 10, undefined])
})

test('an incremental read that is below what is required is published, and its state stays where it was', async () => {
  await using all = await place(true)
  all.refused.when = (query) =>
    query.get('from') === '2024-01-11' ? { json: { data: [{ id: 'x', day: '2024-01-11' }], total: 10 } } : null
  const { ending, name, stored, slices, rows } = await all.run()
  assert.deepEqual([ending, slices, rows], ['incomplete', 1, 11])
  assert.equal(stored.state.day, '2024-01-10')
  assert.deepEqual([stored.readIn, stored.reading.isGivenUp, stored.failures], [name, true, 0])
  all.refused.when = () => null
  const requested = all.api.asked.length
  const next = await all.run()
  assert.deepEqual([next.ending, next.rows, next.stored.reading], ['complete', 21, null])
  assert.ok(all.api.asked.slice(requested).every((line) => !line.includes('from=2024-01-01')))
})

test('what is required decides how a read ends, and not what is published', async () => {
  await using all = await place(true)
  all.refused.when = () => ({ json: { data: [{ id: 'x', day: '2024-01-05' }] } })
  assert.equal((await all.run()).ending, 'complete')
  const strict = await all.run({ require: 'complete' })
  assert.deepEqual([strict.ending, strict.rows], ['incomplete', 1])
})
