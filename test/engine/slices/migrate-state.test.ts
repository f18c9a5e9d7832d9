/** Older states → ones that cursors understand. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConnectorError, loadManifest, readRecords, type StreamState } from '../../../src/index.ts'
import { migrateState } from '../../../src/engine/slices/migrate-state.ts'
import { manifestOf, option } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { daily } from './opening.ts'

const legacy = { kind: 'legacy', partitionField: 'id', cursorField: 'u' } as const
const migrated = (state: StreamState) => migrateState([legacy], state, { config: {} })

test('a legacy state becomes one per partition', async () => {
  assert.deepEqual(await migrated({ '7': { u: '2024-01-01' }, x: { u: '2024-02-01' } }), {
    states: [
      { partition: { id: '7' }, cursor: { u: '2024-01-01' } },
      { partition: { id: 'x' }, cursor: { u: '2024-02-01' } },
    ],
  })
})

test('any other state stays as it is', async () => {
  const others: StreamState[] = [
    {},
    { u: '2024-01-01' },
    { '7': { u: '2024-01-01' }, lookback_window: 1 },
    { '7': { u: '2024-01-01', v: 2 } },
    { '7': { v: '2024-01-01' } },
    { states: [] },
  ]
  for (const state of others) assert.deepEqual(await migrated(state), state)
  assert.equal(await migrateState([legacy], undefined, { config: {} }), undefined)
})

const classes = `
import { StateMigration } from 'turnleaf'

export class Renamed extends StateMigration {
  shouldMigrate(state) { return this.parameters.older in state }
  migrate(state) { return { u: state[this.parameters.older] } }
}
export class Nothing extends StateMigration {
  shouldMigrate() { return true }
  migrate() { return null }
}
`

async function read(className: string, state: StreamState) {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-migration-'))
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [] } }) })
  try {
    await mkdir(join(folder, 'source_x'))
    await writeFile(join(folder, 'source_x', 'states.js'), classes)
    const class_name = `source_x.states.${className}`
    const stream = {
      incremental_sync: {
        ...daily,
        end_datetime: '2024-03-01',
        start_time_option: option('request_parameter', 'since'),
      },
      state_migrations: [{ type: 'CustomStateMigration', class_name, older: 'modified' }],
    }
    const manifest = loadManifest(manifestOf({ url: api.url, stream }), { folder })
    for await (const _ of readRecords(manifest, { state })) assert.fail('the API has no records')
    return api.asked
  } finally {
    await rm(folder, { recursive: true })
  }
}

test("a class of the connector's own migrates what it says it should", async () => {
  assert.deepEqual(await read('Renamed', { modified: '2024-02-02' }), ['GET /items?since=2024-02-02'])
  assert.deepEqual(await read('Renamed', { u: '2024-02-03' }), ['GET /items?since=2024-02-03'])
})

test('what it gives must be a state', async () => {
  await assert.rejects(read('Nothing', { u: '2024-02-03' }), (error) => {
    return error instanceof ConnectorError && error.code === 'custom/class-failed'
  })
})
