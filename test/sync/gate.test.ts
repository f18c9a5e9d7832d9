/** What a read may do to a table that has rows: by destination, by answer of the API, by what is required. */
import assert from 'node:assert/strict'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Destination, destinationAt, loadManifest, publish, sync, type SyncOptions } from '../../src/index.ts'
import { offsetPaginator, sourceOf, streamOf } from '../helpers/manifests.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'
import { freshDatabase } from '../helpers/postgres.ts'
import { type Answer, serveApi } from '../helpers/serve-api.ts'

const folder = await mkdtemp(join(tmpdir(), 'turnleaf-gate-'))
const database = await freshDatabase()
after(async () => {
  await rm(folder, { recursive: true })
  await database[Symbol.asyncDispose]()
})

type Kind = {
  readonly at: (name: string) => Destination
  /** Where its files are. */
  readonly path?: (name: string) => string
}

const inFiles = (kind: string, path: (name: string) => string): Kind => ({
  at: (name) => destinationAt(`${kind}:${path(name)}`),
  path,
})

const kinds: Record<string, Kind> = {
  DuckDB: inFiles('duckdb', (name) => join(folder, `${name}.duckdb`)),
  Parquet: inFiles('parquet', (name) => join(folder, `${name}-parquet`)),
  JSONL: inFiles('jsonl', (name) => join(folder, `${name}-jsonl`)),
  Postgres: { at: (name) => destinationAt(database.url, { schema: name }) },
}

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }))

type Api = { answer: (offset: number) => Answer }

/** `size` records, a hundred a page, and how many there are where `total` says so. */
const list = (size: number, total?: number) => (offset: number) => ({
  json: { data: rows(size).slice(offset, offset + 100), ...(total !== undefined && { total }) },
})

const manifestAt = (url: string) =>
  loadManifest(sourceOf([streamOf({ url, paginator: offsetPaginator({ page_size: 100 }) })]))

let places = 0

/** Kinds whose first sync is kept in files: the next place begins as a copy of it. */
const kept = new Set<Kind>()
const firstSync = 'first-sync'

/** A table with 250 rows, and what it takes to sync it again from another answer. */
async function begin(kind: string) {
  const made = kinds[kind] as Kind
  const name = `p${places++}`
  const to = made.at(name)
  const api: Api = { answer: list(250) }
  const served = await serveApi({ 'GET /items': (query) => api.answer(Number(query.get('offset') ?? 0)) })
  const run = async (options: Partial<SyncOptions> = {}) => {
    // A response that is an error is requested again, after waits that grow.
    const result = await sync(manifestAt(served.url), { to, sleep: async () => {}, ...options })
    return { ending: result.ending, receipt: result.receipts[0] }
  }
  const count = async (table: string) => Number((await to.query?.(`select count(*) from "${table}"`, 1))?.rows[0]?.[0])
  if (made.path !== undefined && kept.has(made)) {
    await cp(made.path(firstSync), made.path(name), { recursive: true })
  } else {
    assert.equal((await run()).ending, 'complete')
    assert.equal(await count('items'), 250)
    if (made.path !== undefined) await cp(made.path(name), made.path(firstSync), { recursive: true })
    kept.add(made)
  }
  return { to, api, run, count, [Symbol.asyncDispose]: () => served[Symbol.asyncDispose]() }
}

const bad: [name: string, answer: Api['answer'], staged: number][] = [
  ['200 with an error', () => ({ json: { error: 'quota exceeded' } }), 0],
  ['a list under another name, and a total', () => ({ json: { items: rows(100), total: 250 } }), 0],
  ['an empty list', list(0), 0],
  ['100 rows that nothing proves', list(100), 100],
  ['200 rows of a total of 250', list(200, 250), 200],
]

for (const kind of Object.keys(kinds)) {
  for (const [name, answer, staged] of bad) {
    test(`${kind}: ${name} does not replace a table with rows; accepted, it does`, async () => {
      await using place = await begin(kind)
      const { api, run, count, to } = place
      api.answer = answer
      const first = await run()
      assert.notEqual(first.ending, 'complete')
      assert.equal(await count('items'), 250)
      const { held } = first.receipt ?? {}
      // A response that is an error may fail the stream: then nothing is held either.
      if (first.ending === 'failed') return assert.equal(held, undefined)
      assert.equal(first.ending, 'held')
      assert.equal(first.receipt?.ending, 'held')
      assert.deepEqual([held?.staged, held?.existing], [staged, 250])
      if (staged > 0) assert.equal(await count(held?.stagedAs ?? ''), staged)
      else assert.equal(held?.stagedAs, null)

      const published = await publish('items', { to })
      assert.deepEqual([published.before, published.after], [250, staged])
      assert.equal(await count('items'), staged)
      await assert.rejects(publish('items', { to }), { code: 'sync/nothing-held' })
    })
  }

  test(`${kind}: with --accept-drop the same reads are published; the verdict still counts`, async () => {
    await using place = await begin(kind)
    const { api, run, count } = place
    api.answer = list(200, 250)
    assert.equal((await run({ acceptDrop: true })).ending, 'incomplete')
    assert.equal(await count('items'), 200)
    api.answer = list(90)
    assert.equal((await run({ acceptDrop: true })).ending, 'complete')
    assert.equal(await count('items'), 90)
    api.answer = list(30)
    assert.equal((await run({ acceptDrop: true, require: 'complete' })).ending, 'incomplete')
    assert.equal(await count('items'), 30)
  })

  test(`${kind}: what is required decides`, async () => {
    await using place = await begin(kind)
    const { api, run, count } = place
    assert.equal((await run({ require: 'complete' })).ending, 'held')
    api.answer = list(125)
    assert.equal((await run({ require: 'complete' })).ending, 'held')
    assert.equal(await count('items'), 250)
    // Half of the rows is enough where nothing speaks against the read.
    assert.equal((await run()).ending, 'complete')
    assert.equal(await count('items'), 125)
    // A read that proves itself may be as small as it is.
    api.answer = list(1, 1)
    assert.equal((await run({ require: 'complete' })).ending, 'complete')
    assert.equal(await count('items'), 1)
  })

  test(`${kind}: a later sync takes the place of what was held`, async () => {
    await using place = await begin(kind)
    const { api, run, count, to } = place
    api.answer = list(100)
    assert.equal((await run()).ending, 'held')
    api.answer = list(60)
    const again = await run()
    assert.deepEqual([again.receipt?.records, again.receipt?.held?.staged], [60, 60])
    api.answer = list(240)
    assert.equal((await run()).ending, 'complete')
    assert.equal(await count('items'), 240)
    await assert.rejects(publish('items', { to }), { code: 'sync/nothing-held' })
  })
}

test('a first sync publishes whatever it brings, and says that it is incomplete', async () => {
  const api: Api = { answer: list(200, 250) }
  await using served = await serveApi({ 'GET /items': (query) => api.answer(Number(query.get('offset') ?? 0)) })
  const to = (kinds.DuckDB as Kind).at('first')
  const { ending, receipts } = await sync(manifestAt(served.url), { to })
  assert.deepEqual([ending, receipts[0]?.ending, receipts[0]?.verdict], ['incomplete', 'incomplete', 'incomplete'])
  assert.equal(Number((await to.query?.('select count(*) from items', 1))?.rows[0]?.[0]), 200)
})

test('publishing what is not there says so', async () => {
  await using place = await begin('JSONL')
  await assert.rejects(publish('itms', { to: place.to }), {
    code: 'sync/unknown-stream',
    hint: 'Did you mean "items"?',
  })
  await assert.rejects(publish('items', { to: place.to, connection: 'other' }), { code: 'sync/unknown-stream' })
})

test('a destination that does not count is protected by its receipts', async () => {
  const api: Api = { answer: list(250) }
  await using served = await serveApi({ 'GET /items': (query) => api.answer(Number(query.get('offset') ?? 0)) })
  const memory = memoryDestination()
  const to: Destination = {
    ...memory,
    async open(connection) {
      const opened = await memory.open(connection)
      return {
        notes: (prefix) => opened.notes(prefix),
        commit: (commit) => opened.commit(commit),
        close: () => opened.close(),
      }
    },
  }
  const run = () => sync(manifestAt(served.url), { to })
  assert.equal((await run()).ending, 'complete')
  api.answer = list(100)
  const { ending, receipts } = await run()
  assert.deepEqual([ending, receipts[0]?.held?.staged, receipts[0]?.held?.existing], ['held', 100, 250])
  assert.equal(memory.tables.get('items')?.length, 250)
  await publish('items', { to })
  assert.equal(memory.tables.get('items')?.length, 100)
  api.answer = list(60)
  assert.equal((await run()).ending, 'complete')
})
