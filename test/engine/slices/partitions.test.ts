/** A cursor per partition: its own state, the one all share, the parents' part of it, and what keeps all this small. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parentStateIn } from '../../../src/engine/slices/parent-state.ts'
import { daily, now, open } from './opening.ts'
import type { StreamState } from '../../../src/engine/slices/stream-cursor.ts'

const values = ['a', 'b']
const partition = (p: string, u: string) => ({ partition: { p }, cursor: { u } })

/** Reads each partition to its end, in the order given. */
function readAll(cursor: ReturnType<typeof open>, partitions: readonly object[], ...records: unknown[]) {
  return partitions.flatMap((each) => {
    const slices = cursor.slicesOf({ ...each })
    for (const slice of slices) cursor.read(slice, ...records)
    return slices
  })
}

test('each partition resumes from its own cursor; new ones from where all were, less the last read', () => {
  const state = {
    use_global_cursor: false,
    states: [partition('a', '2024-01-20')],
    state: { u: '2024-01-25' },
    lookback_window: 60,
  }
  const cursor = open({ values, state })
  assert.equal(cursor.slicesOf({ p: 'a' })[0]?.window.start_time, '2024-01-20')
  assert.equal(cursor.slicesOf({ p: 'b' })[0]?.window.start_time, '2024-01-24')
  cursor.finish(false)
  assert.deepEqual(cursor.warnings, [
    'The partition {"p":"b"} is not in the state: read from "2024-01-24" on, where the others were. `--fresh` reads older records, too.',
  ])
})

test('new partitions are counted once; there is no word where each begins at its own, or all at one cursor', () => {
  const state = { use_global_cursor: false, states: [partition('a', '2024-01-20')], state: { u: '2024-01-25' } }
  const several = open({ values, state })
  readAll(several, [{ p: 'a' }, { p: 'b' }, { p: 'c' }], '2024-02-01')
  several.finish()
  several.finish()
  assert.equal(several.warnings.length, 1)
  assert.match(several.warnings.join(), /^2 partitions are not in the state, such as {"p":"b"}: read from "2024-01-25"/)

  for (const silent of [
    { values },
    { values, state: { ...state, states: ['a', 'b', 'c'].map((p) => partition(p, '2024-01-20')) } },
    // An interrupted first read: what it did not reach begins at the start.
    { values, state: { use_global_cursor: false, states: state.states } },
    { values, state: { use_global_cursor: true, state: state.state } },
    { values, state: { u: '2024-01-20' } },
  ]) {
    const cursor = open(silent)
    readAll(cursor, [{ p: 'a' }, { p: 'b' }, { p: 'c' }], '2024-02-01')
    cursor.finish()
    assert.deepEqual(cursor.warnings, [], JSON.stringify(silent))
  }
})

test('the shared cursor moves when every partition was read, and remembers how long that took', () => {
  let time = now()
  const cursor = open({ values, now: () => time })
  const [a] = cursor.slicesOf({ p: 'a' })
  const [b] = cursor.slicesOf({ p: 'b' })
  assert.deepEqual(cursor.read(b, '2024-02-01'), {
    use_global_cursor: false,
    states: [partition('a', '2024-01-01'), partition('b', '2024-02-01')],
    lookback_window: 0,
  })
  cursor.finish()
  assert.equal(cursor.state()?.state, undefined)
  time += 12_100
  cursor.read(a, '2024-01-03')
  cursor.finish()
  assert.deepEqual(cursor.state(), {
    use_global_cursor: false,
    states: [partition('a', '2024-01-03'), partition('b', '2024-02-01')],
    state: { u: '2024-02-01' },
    lookback_window: 13,
  })
})

test('a read that ended early stores what is left to store and moves nothing else', () => {
  const many = Array.from({ length: 40 }, (_, index) => `v${index}`)
  const cursor = open({ values: many })
  const slices = many.flatMap((p) => cursor.slicesOf({ p }))
  for (const slice of slices) cursor.read(slice, '2024-01-02')
  cursor.close({ partition: { p: 'unknown' }, window: {} })
  assert.equal(cursor.hasNews(), false)
  cursor.finish(false)
  assert.equal(cursor.state()?.state, undefined)
})

test('one cursor for all: nothing is stored before the end, then no partition is listed', () => {
  const cursor = open({ values, cursor: { ...daily, global_substream_cursor: true } })
  const [a] = cursor.slicesOf({ p: 'a' })
  const [b] = cursor.slicesOf({ p: 'b' })
  assert.equal(cursor.read(a, '2024-01-30'), null)
  cursor.read(b)
  cursor.finish()
  assert.deepEqual(cursor.state(), { use_global_cursor: true, state: { u: '2024-01-30' }, lookback_window: 0 })
})

test('beyond ten thousand partitions all share one cursor, and states are not written for each slice', () => {
  const cursor = open({ values })
  let written = 0
  for (let index = 0; index < 10_005; index++) {
    for (const slice of cursor.slicesOf({ p: index })) {
      cursor.observe(slice, [{ u: '2024-01-30' }])
      cursor.close(slice)
      if (cursor.hasNews()) written += ((cursor.state()?.states ?? []) as unknown[]).length
    }
  }
  assert.ok(written < 150_000, `${written} partitions were written`)
  cursor.finish()
  assert.deepEqual(cursor.state(), { use_global_cursor: true, state: { u: '2024-01-30' }, lookback_window: 0 })
})

test('a state that lists partitions is worth writing once a minute, and when the read ends', () => {
  let time = Date.UTC(2026, 0, 1)
  const many = Array.from({ length: 2000 }, (_, index) => `v${index}`)
  const cursor = open({ values: many, now: () => time })
  let written = 0
  for (const p of many) {
    for (const slice of cursor.slicesOf({ p })) {
      cursor.close(slice)
      time += 100
      if (!cursor.hasNews()) continue
      written++
      cursor.state()
    }
  }
  // 200 s have passed.
  assert.equal(written, 3)
  cursor.finish()
  assert.equal(cursor.hasNews(), true)
})

test('of more than 25,000 partitions in a state the oldest go', () => {
  const states = Array.from({ length: 25_010 }, (_, index) => partition(`v${index}`, '2024-01-20'))
  const cursor = open({ values, state: { states, use_global_cursor: false, lookback_window: 0 } })
  assert.equal(cursor.slicesOf({ p: 'v25009' })[0]?.window.start_time, '2024-01-20')
  assert.equal(cursor.slicesOf({ p: 'v0' })[0]?.window.start_time, '2024-01-01')
})

test('of 25,000 partitions in a state none goes, and never the one that is about to be read', () => {
  const states = Array.from({ length: 25_000 }, (_, index) => partition(`v${index}`, '2024-01-20'))
  for (const more of [[], [partition('last', '2024-01-20')]]) {
    const state = { states: [...states, ...more], use_global_cursor: false, lookback_window: 0 }
    const cursor = open({ values, state })
    assert.equal(cursor.slicesOf({ p: 'v0' })[0]?.window.start_time, '2024-01-20')
    const [second] = cursor.slicesOf({ p: 'v1' })
    assert.equal(second?.window.start_time, more.length === 0 ? '2024-01-20' : '2024-01-01')
  }
})

test('partitions are distinguished by their values, not by the order of their names', () => {
  const own = { partition: { p: 'a', of: { x: 1, y: 2 } }, cursor: { u: '2024-01-20' } }
  const cursor = open({ values, state: { states: [own] } })
  assert.equal(cursor.slicesOf({ of: { y: 2, x: 1 }, p: 'a' })[0]?.window.start_time, '2024-01-20')
})

test('a partition that comes twice is read once', () => {
  const cursor = open({ values })
  readAll(cursor, [{ p: 'a' }, { p: 'a' }, { p: 'b' }], '2024-01-02')
  assert.equal(cursor.warnings.length, 1)
  assert.match(cursor.warnings.join(), /occurs twice/)
  cursor.finish()
  assert.deepEqual(cursor.state()?.states, [partition('a', '2024-01-02'), partition('b', '2024-01-02')])
})

test('a partition that comes twice is read once, also where all share a cursor', () => {
  const shared = { state: { u: '2024-01-20' }, use_global_cursor: true, lookback_window: 0 }
  const cursor = open({ values, state: shared })
  assert.equal(readAll(cursor, [{ p: 'a' }, { p: 'a' }, { p: 'b' }], '2024-01-22').length, 2)
  assert.match(cursor.warnings.join(), /occurs twice/)
  cursor.finish()
  assert.deepEqual(cursor.state()?.state, { u: '2024-01-22' })
  const other = open({ values, state: shared })
  assert.equal(readAll(other, [{ p: 'a' }, { p: 'b' }], '2024-01-22').length, 2)
  assert.deepEqual(other.warnings, [])
})

test('the state of a stream that had no partitions counts for each of them', () => {
  const cursor = open({ values, state: { u: '2024-01-20' } })
  assert.equal(cursor.slicesOf({ p: 'b' })[0]?.window.start_time, '2024-01-20')
})

test('states that cannot be understood', () => {
  const broken: StreamState[] = [
    { states: 'a' },
    { states: [{ partition: 'a', cursor: { u: '2024-01-01' } }] },
    { states: [partition('a', 'soon')] },
    { states: [], lookback_window: 'long' },
    { state: { u: 'soon' } },
  ]
  for (const state of broken) assert.throws(() => open({ values, state }), { code: 'slices/invalid-state' })
  const { warnings } = open({ values, state: { a: { u: '2024-01-20' } } })
  assert.match(warnings.join(), /no cursor `u`/)
})

test('a state that was migrated from a legacy one finds its partitions, those of a union as well', () => {
  const states = [{ partition: { p: '7' }, cursor: { u: '2024-01-20' } }]
  for (const found of [{ p: 7, parent_slice: {} }, { p: 7 }]) {
    const cursor = open({ values, state: { states } })
    const [slice] = readAll(cursor, [found], '2024-01-21')
    assert.equal(slice?.window.start_time, '2024-01-20')
    cursor.finish()
    assert.deepEqual(cursor.state()?.states, [{ partition: found, cursor: { u: '2024-01-21' } }])
  }
})

test("records are wanted by their own partition's cursor", () => {
  const cursor = open({
    values,
    cursor: { ...daily, is_client_side_incremental: true },
    state: { states: [partition('a', '2024-01-20')] },
  })
  const [a] = cursor.slicesOf({ p: 'a' })
  const [b] = cursor.slicesOf({ p: 'b' })
  assert.ok(a && b)
  assert.equal(cursor.isWanted({ u: '2024-01-10' }, a), false)
  assert.equal(cursor.isWanted({ u: '2024-01-10' }, b), true)
})

test('the parents are as far as the child has followed them', () => {
  let step = 0
  const cursor = open({ values, parentState: () => ({ parent: { at: step } }), state: { states: [] } })
  const slices = [1, 2, 3].map((at) => {
    step = at
    return cursor.slicesOf({ p: `v${at}` })[0]
  })
  step = 4
  const parents = (state: StreamState | null) => state?.parent_state
  assert.equal(parents(cursor.read(slices[1])), undefined)
  assert.deepEqual(parents(cursor.read(slices[0])), { parent: { at: 2 } })
  assert.deepEqual(parents(cursor.read(slices[2])), { parent: { at: 3 } })
  cursor.finish()
  assert.deepEqual(parents(cursor.state()), { parent: { at: 4 } })
})

test('where a parent resumes from', () => {
  const parent = { name: 'parent', cursorField: 'at' }
  const shared = { state: { at: '2' }, states: [] }
  assert.deepEqual(parentStateIn({ ...shared, parent_state: { parent: { at: '1' } } }, parent), { at: '1' })
  assert.deepEqual(parentStateIn(shared, parent), { at: '2' })
  assert.deepEqual(parentStateIn({ u: '3' }, parent), { at: '3' })
  assert.deepEqual(parentStateIn({ ...shared, state: { u: '3' }, parent_state: {} }, parent), { at: '3' })
  assert.equal(parentStateIn({ states: [], state: {} }, parent), undefined)
  assert.equal(parentStateIn({ __ab_no_cursor_state_message: true }, parent), undefined)
  assert.equal(parentStateIn(undefined, parent), undefined)
})
