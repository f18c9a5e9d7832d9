/** What a sync finds of a stream → where it begins to read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CursorPlan } from '../../src/engine/plan/cursor.ts'
import type { StreamPlan } from '../../src/engine/plan/stream.ts'
import { loadManifest, sync, type SyncMode } from '../../src/index.ts'
import type { ChosenStream } from '../../src/protocol/choose-streams.ts'
import { syncedCursorField } from '../../src/sync/open-table-sync.ts'
import { manifestOf, option } from '../helpers/manifests.ts'
import { memoryDestination } from '../helpers/memory-destination.ts'
import { serveApi } from '../helpers/serve-api.ts'

test('a catalog names the cursor only of a stream that leaves it free', () => {
  const field = (cursor: Partial<CursorPlan> | null, cursorField?: string) => {
    const plan = { slicing: { cursor } } as StreamPlan
    const chosen: ChosenStream = {
      name: 'items',
      isIncremental: true,
      ...(cursorField !== undefined && { cursorField }),
    }
    return syncedCursorField(plan, chosen)
  }
  assert.equal(field({ cursorField: 'day', fieldIsFree: true }, 'at'), 'at')
  assert.equal(field({ cursorField: 'day', fieldIsFree: true }), 'day')
  assert.equal(field({ cursorField: 'day', fieldIsFree: false }, 'at'), 'day')
  assert.equal(field(null, 'at'), null)
})

type Found = {
  readonly mode: SyncMode
  readonly hasState?: boolean
  readonly reading?: 'interrupted' | 'given up'
  readonly isGone?: boolean
  readonly isStagedGone?: boolean
}

/** What the sync warns of, and the day that it asks for first: that of the state is the twentieth. */
async function begunWith({ mode, hasState = true, reading, isGone = false, isStagedGone = false }: Found) {
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 1, day: '2024-01-25' }] } }) })
  const incremental_sync = {
    type: 'DatetimeBasedCursor',
    cursor_field: 'day',
    datetime_format: '%Y-%m-%d',
    start_datetime: '2024-01-01',
    end_datetime: '2024-01-31',
    start_time_option: option('request_parameter', 'from'),
  }
  const manifest = loadManifest(manifestOf({ url: api.url, stream: { primary_key: 'id', incremental_sync } }))
  const memory = memoryDestination()
  const open = async (connection: string) => ({
    ...(await memory.open(connection)),
    isGone: async () => isGone,
    isStagedGone: async () => isStagedGone,
  })
  const readAt = Date.UTC(2024, 0, 30)
  const left = { readAt, runs: ['r0'], plan: 'p0', ...(reading === 'given up' && { isGivenUp: true }) }
  const checkpoint = {
    state: hasState ? { day: '2024-01-20' } : null,
    readIn: 'r0',
    reading: reading === undefined ? null : left,
    failures: 0,
  }
  memory.notes.set('stream/items', JSON.stringify(checkpoint))
  const warnings: string[] = []
  await sync(manifest, {
    to: { ...memory, open },
    mode,
    onEvent: (event) => {
      if (event.kind !== 'notice' || event.notice.kind !== 'warning') return
      if (event.notice.text.includes('is gone')) warnings.push(event.notice.text)
    },
  })
  const [asked = ''] = api.asked
  return {
    warned: warnings.map((text) => text.replace(/ is gone.*$/, '')),
    from: Number(/from=2024-01-(\d+)/.exec(asked)?.[1]),
  }
}

const table = 'The table items'
const staged = 'What was staged for the table items'

const rows: [name: string, found: Found, warned: string[], from: number][] = [
  ['a table that is there', { mode: 'incremental_append' }, [], 20],
  ['a table that is gone', { mode: 'incremental_append', isGone: true }, [table], 1],
  ['a table that was never there', { mode: 'incremental_append', hasState: false, isGone: true }, [], 1],
  ['a table that is replaced anyway', { mode: 'full_refresh_overwrite', isGone: true, reading: 'interrupted' }, [], 1],
  ['a table of which nothing is resumed', { mode: 'full_refresh_append', isGone: true }, [], 1],
  ['a table that was being filled', { mode: 'full_refresh_append', isGone: true, reading: 'interrupted' }, [table], 1],
  [
    'a table that was being filled for the first time',
    { mode: 'incremental_dedup', hasState: false, isGone: true, reading: 'interrupted' },
    [table],
    1,
  ],
  [
    'staged rows of a read that was interrupted',
    { mode: 'incremental_dedup', isStagedGone: true, reading: 'interrupted' },
    [staged],
    20,
  ],
  [
    'staged rows where the table is gone as well',
    { mode: 'incremental_dedup', isGone: true, isStagedGone: true, reading: 'interrupted' },
    [table],
    1,
  ],
  ['staged rows where nothing was being read', { mode: 'incremental_dedup', isStagedGone: true }, [], 20],
  [
    'staged rows that the state covers',
    { mode: 'incremental_append', isStagedGone: true, reading: 'given up' },
    [staged],
    1,
  ],
  [
    'staged rows that are dropped anyway',
    { mode: 'incremental_dedup', isStagedGone: true, reading: 'given up' },
    [],
    20,
  ],
]

for (const [name, found, warned, from] of rows) {
  test(`${found.mode}, ${name}: read from day ${from}, ${warned.length === 0 ? 'without a word' : 'and it is said'}`, async () => {
    assert.deepEqual(await begunWith(found), { warned, from })
  })
}

test('the schema of a stream need not be known', async () => {
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 1 }] } }) })
  const schema_loader = { type: 'JsonFileSchemaLoader', file_path: './schemas/none.json' }
  const manifest = loadManifest(manifestOf({ url: api.url, stream: { schema_loader } }))
  const warnings: string[] = []
  const to = memoryDestination()
  await sync(manifest, {
    to,
    onEvent: (event) => {
      if (event.kind === 'notice' && event.notice.kind === 'warning') warnings.push(event.notice.text)
    },
  })
  assert.equal(to.tables.get('items')?.length, 1)
  assert.match(warnings.join(), /^The schema is not known; columns follow the records\. /)
})
