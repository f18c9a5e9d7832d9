/** One cursor for a stream without partitions: windows, wanted records, states in and out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daily, open } from './opening.ts'

const steps = { ...daily, step: 'P10D', cursor_granularity: 'P1D' }
const feed = { ...daily, is_data_feed: true }
const nothing = { partition: {}, window: {} }
const zoned = '%Y-%m-%dT%H:%M:%S%z'

test('the state is the newest record of what was read without a gap', () => {
  const cursor = open({ cursor: steps })
  const [first, second, third, fourth] = cursor.slicesOf()
  assert.deepEqual(cursor.read(third, '2024-01-25'), { u: '2024-01-01' })
  assert.deepEqual(cursor.read(first, '2024-01-03', '2024-01-02'), { u: '2024-01-03' })
  assert.deepEqual(cursor.read(second), { u: '2024-01-25' })
  assert.deepEqual(cursor.read(fourth, '2024-02-04'), { u: '2024-02-04' })
})

test('there is no state before a slice was read, and one when there is none to read', () => {
  const cursor = open()
  const slices = cursor.slicesOf()
  assert.equal(cursor.state(), null)
  cursor.finish()
  assert.equal(cursor.hasNews(), false)
  assert.equal(slices.length, 1)

  const late = open({ cursor: { ...daily, start_datetime: '2025-01-01' } })
  assert.deepEqual(late.slicesOf(), [])
  late.finish()
  assert.deepEqual(late.state(), { u: '2025-01-01' })
})

test('a state is news once, and again when it moved', () => {
  const cursor = open({ cursor: steps })
  const [first, second] = cursor.slicesOf()
  assert.ok(first && second)
  cursor.read(first, '2024-01-02')
  assert.equal(cursor.hasNews(), false)
  cursor.close(second)
  assert.equal(cursor.hasNews(), false)
})

test('without a cursor only a whole read leaves a state', () => {
  const cursor = open({ cursor: null })
  const [slice] = cursor.slicesOf()
  assert.ok(slice)
  cursor.finish()
  assert.equal(cursor.state(), null)
  cursor.close(slice)
  cursor.finish(false)
  assert.equal(cursor.state(), null)
  cursor.finish()
  assert.deepEqual(cursor.state(), { __ab_no_cursor_state_message: true })
})

test('days are clamped without leaving any out', () => {
  const cursor = { ...daily, datetime_format: '%Y-%m-%dT%H:%M:%SZ', start_datetime: '2024-02-01T10:00:00Z' }
  const clamped = { ...cursor, step: 'P1D', cursor_granularity: 'PT1S', clamping: { target: 'DAY' } }
  assert.deepEqual(
    open({ cursor: clamped })
      .slicesOf()
      .map(({ window }) => window.start_time),
    ['2024-02-02T00:00:00Z', '2024-02-03T00:00:00Z', '2024-02-04T00:00:00Z'],
  )
})

test('clamping to something else, or to a week without a first day, is refused', () => {
  for (const clamping of [
    { target: 'YEAR' },
    { target: 'WEEK' },
    { target: 'WEEK', target_details: { weekday: 'X' } },
  ]) {
    assert.throws(() => open({ cursor: { ...daily, clamping } }), { code: 'manifest/invalid-value' })
  }
})

test('records without a readable cursor are kept and reported once', () => {
  const cursor = open({ cursor: { ...daily, is_client_side_incremental: true } })
  const [slice] = cursor.slicesOf()
  assert.equal(cursor.isWanted({}, nothing), true)
  assert.equal(cursor.isWanted({ u: 'yesterday' }, nothing), true)
  assert.equal(cursor.isWanted({ u: '2023-12-31' }, nothing), false)
  assert.deepEqual(cursor.read(slice, null, 'broken', ['2024-01-05'], { at: 1 }, '2024-01-04'), { u: '2024-01-04' })
  assert.equal(cursor.warnings.length, 1)
  assert.match(String(cursor.warnings[0]), /no cursor `u`/)
  const other = open({ cursor: daily })
  other.read(other.slicesOf()[0], 'yesterday')
  assert.match(other.warnings.join(), /^A record's cursor `u` is "yesterday", .* `cursor_datetime_formats` /)
})

test('a filter keeps what the lookback is there to bring', () => {
  const cursor = { ...daily, is_client_side_incremental: true, lookback_window: 'P3D' }
  const opened = open({ cursor, state: { u: '2024-01-20' } })
  assert.equal(opened.isWanted({ u: '2024-01-17' }, nothing), true)
  assert.equal(opened.isWanted({ u: '2024-01-16' }, nothing), false)
})

test('the state stays while a window of the lookback is open, whatever else was read', () => {
  const cursor = open({ cursor: { ...steps, lookback_window: 'P15D' }, state: { u: '2024-01-20' } })
  const slices = cursor.slicesOf()
  const [first, second, third, last] = slices
  const covered = () => slices.map((slice) => cursor.covers(slice))
  assert.equal(first?.window.start_time, '2024-01-05')
  cursor.read(last)
  assert.deepEqual(cursor.read(third, '2024-02-03'), { u: '2024-01-20' })
  assert.deepEqual(cursor.read(second, '2024-01-22'), { u: '2024-01-20' })
  assert.deepEqual(covered(), [false, false, false, false])
  assert.deepEqual(cursor.read(first), { u: '2024-02-03' })
  assert.deepEqual(covered(), [true, true, true, true])
})

test('the state stays before a window that is a single day, the one that the state names', () => {
  const cursor = open({ cursor: { ...steps, step: 'P1D' }, state: { u: '2024-02-02' } })
  const [first, second] = cursor.slicesOf()
  assert.deepEqual(cursor.read(second, '2024-02-03'), { u: '2024-02-02' })
  assert.deepEqual(cursor.read(first, '2024-02-02'), { u: '2024-02-03' })
})

test('gaps of a state are closed one window after the other', () => {
  const slices = [
    { start: '2024-01-01', end: '2024-01-05', most_recent_cursor_value: '2024-01-05' },
    { start: '2024-01-26', end: '2024-02-01', most_recent_cursor_value: '2024-02-01' },
  ]
  const cursor = open({ cursor: steps, state: { state_type: 'date-range', slices } })
  const [first, second, last] = cursor.slicesOf()
  assert.deepEqual(cursor.read(first, '2024-01-10'), { u: '2024-01-10' })
  assert.deepEqual(cursor.read(second, '2024-01-20'), { u: '2024-02-01' })
  assert.deepEqual(cursor.read(last, '2024-02-03'), { u: '2024-02-03' })
})

test('a data feed stops at known records, not at those of the future', () => {
  const cursor = open({ cursor: feed, state: { u: '2024-01-20' } })
  assert.equal(cursor.hasReachedOld({ u: '2024-01-21' }, nothing), false)
  assert.equal(cursor.hasReachedOld({ u: '2024-01-19' }, nothing), true)
  assert.equal(cursor.hasReachedOld({ u: '2099-01-01' }, nothing), false)
  assert.equal(cursor.hasReachedOld({}, nothing), false)
  assert.equal(cursor.hasReachedOld(undefined, nothing), false)
  assert.equal(cursor.isWanted({ u: '2024-01-19' }, nothing), false)
  assert.equal(open().hasReachedOld({ u: '1999-01-01' }, nothing), false)
})

test('a state after the end of the read is reported, as is a record that leads there', () => {
  const ahead = open({ state: { u: '2030-01-01' } })
  assert.deepEqual(ahead.slicesOf(), [])
  assert.match(ahead.warnings.join(), /2030-01-01.*after the end/)

  const cursor = open()
  const [slice] = cursor.slicesOf()
  assert.deepEqual(cursor.read(slice, '2030-01-01'), { u: '2030-01-01' })
  assert.match(cursor.warnings.join(), /2030-01-01, after the end/)
})

test('a state that holds no cursor is reported; the rest of it is kept', () => {
  const cursor = open({ state: { updated: '2024-02-01', page: 7 } })
  const [slice] = cursor.slicesOf()
  assert.equal(slice?.window.start_time, '2024-01-01')
  assert.match(cursor.warnings.join(), /no cursor `u`.*updated, page/)
  assert.deepEqual(cursor.read(slice, '2024-01-03'), { updated: '2024-02-01', page: 7, u: '2024-01-03' })
})

test('a state of partitions does not fit a stream that has none', () => {
  const states = [{ partition: { p: 'a' }, cursor: { u: '2024-02-01' } }]
  const cursor = open({ state: { use_global_cursor: false, states, lookback_window: 1 } })
  const [slice] = cursor.slicesOf()
  assert.equal(cursor.warnings.length, 1)
  assert.deepEqual(cursor.read(slice), { u: '2024-01-01' })
})

test('a stream that is given its first cursor is read from the start without a word', () => {
  const cursor = open({ state: { __ab_no_cursor_state_message: true } })
  const [slice] = cursor.slicesOf()
  assert.deepEqual(cursor.read(slice, '2024-01-02'), { u: '2024-01-02' })
  assert.deepEqual(cursor.warnings, [])
})

test('a state whose date cannot be read stops the stream', () => {
  const broken = [
    { u: 'soon' },
    { u: { at: '2024-01-01' } },
    { state_type: 'date-range', slices: [{ start: '2024-01-01' }] },
    { state_type: 'date-range', slices: ['2024-01-01'] },
  ]
  for (const state of broken) assert.throws(() => open({ state }), { code: 'slices/invalid-state' })
})

test('what was written in the format of the cursor is read in it, whatever the formats of records', () => {
  const cursor = {
    ...daily,
    datetime_format: '%d/%m/%Y',
    cursor_datetime_formats: ['%m/%d/%Y'],
    start_datetime: '01/01/2024',
  }
  const opened = open({ cursor, state: { u: '02/01/2024' } })
  const [slice] = opened.slicesOf()
  assert.equal(slice?.window.start_time, '02/01/2024')
  assert.deepEqual(opened.read(slice, '01/31/2024'), { u: '31/01/2024' })
})

test('a lookback that leads before the calendar begins where the stream does', () => {
  const since = { ...daily, start_datetime: '0001-01-01' }
  const windows = (opening: object) =>
    open(opening)
      .slicesOf({ p: 'b' })
      .map(({ window }) => window)
  const whole = [{ start_time: '0001-01-01', end_time: '2024-02-05' }]
  assert.deepEqual(windows({ cursor: { ...since, lookback_window: 'P1D' } }), whole)
  const state = { states: [], state: { u: '2024-01-10' }, lookback_window: 1e14 }
  assert.deepEqual(windows({ cursor: since, values: ['b'], state }), whole)
})

test('a stream that begins with the calendar can be read from its state', () => {
  for (const [datetime_format, start, written] of [
    ['%Y-%m-%dT%H:%M:%SZ', '0001-01-01T00:00:00+00:00', '0001-01-01T00:00:00Z'],
    ['%Y-%m-%dT%H:%M:%S', '0001-01-01T00:00:00+05:00', '0001-01-01T00:00:00'],
    ['%%Y %Y', '0999-01-01T00:00:00+00:00', '%Y 0999'],
  ] as const) {
    const since = { type: 'MinMaxDatetime', datetime: start, datetime_format: zoned }
    const cursor = { ...daily, datetime_format, start_datetime: since }
    const first = open({ cursor })
    const [slice] = first.slicesOf()
    assert.equal(slice?.window.start_time, written)
    const state = first.read(slice)
    assert.deepEqual(state, { u: written })
    assert.equal(open({ cursor, state: { ...state } }).slicesOf()[0]?.window.start_time, written)
  }
})

test('a state that ends with the calendar is read', () => {
  const [start, end] = ['2024-01-01', '9999-12-31']
  const slices = [
    { start, end },
    { start, end },
  ]
  assert.deepEqual(open({ cursor: steps, state: { state_type: 'date-range', slices } }).slicesOf(), [])
})

for (const [format, value, written] of [
  ['%Y-%m-%dT%H:%M:%SZ', '2024-01-20T12:00:00+05:00', '2024-01-20T07:00:00Z'],
  ['%Y-%m-%dT%H:%M:%SZ', '2024-01-20T12:00:00-05:00', '2024-01-20T12:00:00Z'],
  ['%Y-%m-%dT%H:%M:%SZ', '2024-01-20T12:00:00Z', '2024-01-20T12:00:00Z'],
  ['%Y-%m-%d %H:%M:%S', '2024-01-20T12:00:00+05:00', '2024-01-20 07:00:00'],
  ['%Y-%m-%d %H:%M:%S', '2024-01-20T12:00:00-05:00', '2024-01-20 12:00:00'],
  ['%Y-%m-%d', '2024-01-20T12:00:00+14:00', '2024-01-19'],
  [zoned, '2024-01-20T12:00:00+05:00', '2024-01-20T12:00:00+0500'],
  ['%s', '2024-01-20T12:00:00+05:00', String(Date.UTC(2024, 0, 20, 7) / 1000)],
] as const) {
  test(`the state never skips hours because of a zone: ${value} in ${format}`, () => {
    const start = { type: 'MinMaxDatetime', datetime: '2024-01-01', datetime_format: '%Y-%m-%d' }
    const cursor = {
      ...daily,
      datetime_format: format,
      cursor_datetime_formats: [zoned],
      start_datetime: start,
      is_client_side_incremental: true,
    }
    const first = open({ cursor })
    const state = first.read(first.slicesOf()[0], value)
    assert.deepEqual(state, { u: written })
    assert.ok(state)
    const second = open({ cursor, state })
    assert.equal(second.slicesOf()[0]?.window.start_time, written)
    assert.equal(second.isWanted({ u: value }, nothing), true)
  })
}

test('a catalog may name the cursor field where the manifest lets it', () => {
  const free = { ...daily, allow_catalog_defined_cursor_field: true }
  assert.deepEqual(
    open({ cursor: free, cursorField: 'created', state: { created: '2024-01-09' } }).slicesOf()[0]?.window,
    {
      start_time: '2024-01-09',
      end_time: '2024-02-05',
    },
  )
  const fixed = open({ cursorField: 'created', state: { u: '2024-01-09' } })
  assert.equal(fixed.slicesOf()[0]?.window.start_time, '2024-01-09')
})

test('counts of any length, also as texts', () => {
  const count = { type: 'IncrementingCountCursor', cursor_field: 'u' }
  const cursor = open({ cursor: count, state: { u: 12 } })
  const [slice] = cursor.slicesOf()
  assert.deepEqual(slice?.window, { start: 12 })
  assert.deepEqual(cursor.read(slice, '15', 13, 'x'), { u: 15 })
  assert.deepEqual(cursor.read(slice, 9_007_199_254_740_993n), { u: 9_007_199_254_740_993n })
  assert.equal(cursor.warnings.length, 1)
  assert.throws(() => open({ cursor: count, values: ['a'] }), { code: 'manifest/unsupported-component' })
})

test("a cursor of the connector's own is refused by name", () => {
  const own = { type: 'CustomIncrementalSync', class_name: 'source_x.components.OwnCursor' }
  assert.throws(() => open({ cursor: own }), { code: 'manifest/unsupported-component', message: /OwnCursor/ })
})
