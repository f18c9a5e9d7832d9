/** Which mode a stream is synced in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StreamPlan } from '../../src/engine/plan/stream.ts'
import type { ChosenStream } from '../../src/protocol/choose-streams.ts'
import { type SyncMode, syncModes } from '../../src/sync/mode-names.ts'
import { checkModes, isIncremental, modeFor, requestedMode, syncModeNamed, tableModeOf } from '../../src/sync/modes.ts'

const plan = (primaryKey: string[][], hasCursor: boolean) =>
  ({ name: 'orders', primaryKey, slicing: { cursor: hasCursor ? {} : null } }) as unknown as StreamPlan
const chosen = (more: Partial<ChosenStream> = {}): ChosenStream => ({ name: 'orders', isIncremental: true, ...more })
const key = [['id']]

test('the usual mode follows the cursor and the key of the stream', () => {
  assert.equal(modeFor(plan([], false), chosen(), undefined), 'full_refresh_overwrite')
  assert.equal(modeFor(plan(key, false), chosen(), undefined), 'full_refresh_overwrite')
  assert.equal(modeFor(plan([], true), chosen(), undefined), 'incremental_append')
  assert.equal(modeFor(plan(key, true), chosen(), undefined), 'incremental_dedup')
  assert.equal(modeFor(plan([], true), chosen({ primaryKey: key }), undefined), 'incremental_dedup')
  assert.equal(modeFor(plan(key, true), chosen({ primaryKey: [] }), undefined), 'incremental_append')
})

const inCatalog: [landing: string, isIncremental: boolean, mode: SyncMode][] = [
  ['overwrite', false, 'full_refresh_overwrite'],
  ['overwrite', true, 'full_refresh_overwrite'],
  ['append', false, 'full_refresh_append'],
  ['append', true, 'incremental_append'],
  ['append_dedup', false, 'full_refresh_dedup'],
  ['append_dedup', true, 'incremental_dedup'],
]

test('a catalog decides, unless a mode is requested', () => {
  for (const [landing, isNewOnly, mode] of inCatalog) {
    const given = chosen({ landing, isIncremental: isNewOnly })
    assert.equal(modeFor(plan(key, true), given, undefined), mode)
    assert.equal(modeFor(plan(key, true), given, 'full_refresh_append'), 'full_refresh_append')
  }
  assert.throws(() => modeFor(plan(key, true), chosen({ landing: 'update' }), undefined), {
    code: 'sync/unknown-mode',
    message: 'The catalog sets the unknown mode "update" for stream "orders".',
  })
})

test('no stream is read incrementally without a cursor, and none is merged without a key', () => {
  assert.throws(() => modeFor(plan(key, false), chosen(), 'incremental_dedup'), { code: 'sync/not-incremental' })
  assert.throws(() => modeFor(plan([], true), chosen(), 'incremental_dedup'), { code: 'sync/no-primary-key' })
  assert.equal(modeFor(plan(key, false), chosen(), 'full_refresh_dedup'), 'full_refresh_dedup')
})

test('the name of a mode says how it reads and how it writes', () => {
  assert.deepEqual(
    syncModes.map((mode) => [isIncremental(mode), tableModeOf(mode)]),
    [
      [false, 'overwrite'],
      [false, 'append'],
      [false, 'dedup'],
      [true, 'append'],
      [true, 'dedup'],
    ],
  )
})

test('one mode is for all streams, or each has its own, and `*` is for the others', () => {
  const modes = { orders: 'full_refresh_append', '*': 'incremental_dedup' } as const
  assert.equal(requestedMode(undefined, 'orders'), undefined)
  assert.equal(requestedMode('full_refresh_append', 'orders'), 'full_refresh_append')
  assert.equal(requestedMode(modes, 'orders'), 'full_refresh_append')
  assert.equal(requestedMode(modes, 'carts'), 'incremental_dedup')
  assert.equal(requestedMode(modes, 'toString'), 'incremental_dedup')
  assert.equal(requestedMode({ orders: 'full_refresh_append' }, 'carts'), undefined)
})

test('a mode may be written with hyphens, and one that is misspelt is refused with what may be meant', () => {
  assert.equal(syncModeNamed(' full-refresh-append '), 'full_refresh_append')
  const refused = (name: string, hint: string) =>
    assert.throws(() => syncModeNamed(name), { message: `There is no mode "${name}".`, hint })
  refused('full-refresh-apend', 'Did you mean full_refresh_append?')
  refused('daily', `The modes are ${syncModes.join(', ')}.`)
  checkModes(undefined)
  checkModes('full_refresh_append')
  checkModes({ orders: 'full_refresh_append', '*': 'incremental_dedup' })
  const untyped = (modes: unknown) => () => checkModes(modes as SyncMode)
  assert.throws(untyped('daily'), { message: 'There is no mode "daily".' })
  assert.throws(untyped({ orders: 'full_refresh_append', '*': 'daily' }), { message: 'There is no mode "daily".' })
})
