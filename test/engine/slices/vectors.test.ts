/** Windows and states as Airbyte's engine gave them for the same cursor, the same state and the same records. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Slice, Window } from '../../../src/engine/slices/slice.ts'
import { open } from './opening.ts'
import type { StreamState } from '../../../src/engine/slices/stream-cursor.ts'

type Read = { readonly values: readonly unknown[]; readonly state?: StreamState }
type OfStream = {
  readonly cursor: object
  readonly state: StreamState
  readonly windows: readonly Window[]
  readonly wanted?: readonly (readonly [unknown, boolean])[]
  readonly reads: readonly (Read & { readonly window: number })[]
}
type OfPartitions = {
  readonly cursor: object
  readonly state: StreamState
  readonly values: readonly string[]
  readonly slices: readonly Slice[]
  readonly reads: readonly (Read & { readonly slice: number })[]
  readonly final: StreamState
}
type Vectors = { readonly time: OfStream[]; readonly count: OfStream[]; readonly partitions: OfPartitions[] }

const vectors = JSON.parse(readFileSync('test/vectors/cursors.json', 'utf8')) as Vectors
/** Missing cursors were recorded as null. */
const record = (value: unknown) => (value === null ? {} : { u: value })

/** Airbyte writes the clock time of another zone where the format has none (zones-in-states in docs/compatibility.md). */
const isOfOtherZone = (cursor: object, value: unknown) =>
  !JSON.stringify(cursor).includes('"datetime_format":"%Y-%m-%dT%H:%M:%S%z"') &&
  /T.*\+(?!00:?00)\d\d:?\d\d$/.test(String(value))

for (const kind of ['time', 'count'] as const) {
  test(`${vectors[kind].length} streams with a cursor by ${kind}`, () => {
    for (const { cursor, state, windows, wanted = [], reads } of vectors[kind]) {
      const about = JSON.stringify({ cursor, state })
      const isTime = kind === 'time'
      const opened = open({ cursor: { ...cursor, ...(isTime && { is_client_side_incremental: true }) }, state })
      const slices = opened.slicesOf()
      assert.deepEqual(
        slices.map(({ window }) => window),
        windows,
        about,
      )
      for (const [value, isWanted] of wanted) {
        assert.equal(
          opened.isWanted(record(value), { partition: {}, window: {} }),
          isWanted,
          `${about} ${String(value)}`,
        )
      }
      for (const { window, values, state: expected } of reads) {
        const slice = slices[window]
        assert.ok(slice)
        opened.observe(slice, values.map(record))
        opened.close(slice)
        const reached = opened.state()
        if (values.some((value) => isOfOtherZone(cursor, value)))
          assert.ok(String(reached?.u) <= String(expected?.u), about)
        else assert.deepEqual(reached, expected, about)
      }
    }
  })
}

test(`${vectors.partitions.length} streams with a cursor per partition`, () => {
  for (const { cursor, state, values, slices, reads, final } of vectors.partitions) {
    const about = JSON.stringify({ cursor, state })
    const opened = open({ cursor, state, values })
    const found = values.flatMap((p) => opened.slicesOf({ p }))
    assert.deepEqual(found, slices, about)
    for (const { slice: index, values: observed, state: expected } of reads) {
      const slice = found[index]
      assert.ok(slice)
      opened.observe(slice, observed.map(record))
      opened.close(slice)
      const reached = opened.state()
      // What all partitions share is not worth storing before all were read; Airbyte would have stored it unchanged.
      if (expected !== undefined && reached !== null) assert.deepEqual(reached, expected, about)
    }
    opened.finish()
    const reached = opened.state()
    if (reached === null) continue
    const { lookback_window: _, ...rest } = reached
    assert.deepEqual(rest, final, about)
  }
})
