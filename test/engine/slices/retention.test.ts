import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStale } from '../../../src/engine/slices/retention.ts'
import type { StreamState } from '../../../src/engine/slices/state.ts'
import { now, slicingOf } from './opening.ts'

const at = { pointer: '' }
const whole = slicingOf({ cursor: null })
const single = slicingOf({})
const partitioned = slicingOf({ values: ['a'] })
const stale = (state: StreamState, ...slicings: (typeof whole)[]) =>
  isStale({ period: 'P30D', at }, slicings, state, now)

test('a state is stale when its cursor is older than what the API keeps', () => {
  assert.equal(stale({ u: '2024-01-20' }, whole, single), false)
  assert.equal(stale({ u: '2023-12-20' }, whole, single), true)
  assert.equal(stale({ use_global_cursor: true, state: { u: '2024-01-20' } }, whole, partitioned), false)
  assert.equal(stale({ state_type: 'date-range', slices: [{ start: '2023-01-01', end: '2024-01-20' }] }, single), false)
})

test('a stream that was read whole is up to date; a state nobody understands is stale', () => {
  assert.equal(stale({ __ab_no_cursor_state_message: true }, whole, single), false)
  assert.equal(stale({ other: 1 }, whole, single), true)
  assert.equal(stale({ u: 'soon' }, single), true)
})

test('a period that is no duration', () => {
  assert.throws(() => isStale({ period: 'a month', at }, [single], { u: '2024-01-20' }, now), {
    code: 'plan/invalid-duration',
  })
})
