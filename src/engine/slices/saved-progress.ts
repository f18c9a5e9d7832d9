/** A state that Turnleaf or Airbyte wrote → how far an earlier read got along the axis. */
import { ConnectorError } from '../../std/errors.ts'
import { isObject } from '../../std/values/objects.ts'
import { describeValue } from '../template/text.ts'
import type { Axis } from './axis.ts'
import { type Interval, mergeIntervals } from './intervals.ts'
import type { WarnOnce } from './warn-once.ts'
import type { StreamState } from './stream-cursor.ts'

export type SavedProgress<V> = {
  /** Records from here on are new. */
  readonly from: V
  /** What was read before, in order; at least one interval. */
  readonly read: readonly Interval<V>[]
  /** Whether an earlier read is resumed. */
  readonly isResumed: boolean
  /** Members of the state that are not the cursor's. Airbyte: they are kept. */
  readonly rest: StreamState
}

/** Members that belong to the shapes of a state, not to its stream. */
const shapes = new Set([
  '__ab_no_cursor_state_message',
  'state_type',
  'slices',
  'legacy',
  'use_global_cursor',
  'states',
  'state',
  'lookback_window',
  'parent_state',
])

export function progressIn<V>(axis: Axis<V>, state: StreamState | undefined, warn: WarnOnce): SavedProgress<V> {
  if (state === undefined || Object.keys(state).length === 0) return nowhere(axis, {})
  const { state_type: type, slices, legacy } = state
  if ((type === 'date-range' || type === 'integer') && Array.isArray(slices) && slices.length > 0) {
    return reachOfSlices(axis, slices, isObject(legacy) ? legacy : {})
  }
  const rest = Object.fromEntries(Object.entries(state).filter(([name]) => !shapes.has(name)))
  const saved = Object.hasOwn(state, axis.cursorField) ? state[axis.cursorField] : undefined
  if (saved === undefined || saved === null || saved === '') {
    // A stream that had no cursor leaves a state that says so: it has just been given one.
    if (state.__ab_no_cursor_state_message !== true) warnLost(axis, state, warn)
    return nowhere(axis, rest)
  }
  const reached = required(axis, saved)
  const from = axis.compare(reached, axis.start) >= 0 ? reached : axis.start
  return { from, read: [{ start: axis.start, end: from, newest: from }], isResumed: true, rest }
}

/** The value of the cursor in a state, or an error that shows what is there instead. */
export function required<V>(axis: Axis<V>, saved: unknown): V {
  const value = axis.ofState(saved)
  if (value !== null) return value
  const message = `The state has ${describeValue(saved)} for the cursor \`${axis.cursorField}\`, which cannot be read.`
  throw new ConnectorError('slices/invalid-state', message)
}

function nowhere<V>({ start }: Axis<V>, rest: StreamState): SavedProgress<V> {
  return { from: start, read: [{ start, end: start, newest: start }], isResumed: false, rest }
}

/** Airbyte's own shape while it reads slices side by side: what was read, with the gaps in between. */
function reachOfSlices<V>(axis: Axis<V>, slices: readonly unknown[], rest: StreamState): SavedProgress<V> {
  const intervals = slices.map((slice): Interval<V> => {
    const { start, end, most_recent_cursor_value: newest } = isObject(slice) ? slice : {}
    return {
      start: required(axis, start),
      end: required(axis, end),
      newest: newest === undefined || newest === null ? null : required(axis, newest),
    }
  })
  const [first] = intervals
  const from = first?.newest ?? first?.end ?? axis.start
  return { from, read: mergeIntervals(axis, intervals), isResumed: true, rest }
}

function warnLost<V>({ cursorField }: Axis<V>, state: StreamState, warn: WarnOnce): void {
  const names = Object.keys(state).slice(0, 5).join(', ')
  warn(
    'no-cursor',
    `The state holds no cursor \`${cursorField}\` to resume from (it has ${names}): read from the start.`,
  )
}
