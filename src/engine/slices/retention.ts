/** Whether a state is older than what an API keeps: going on from it would leave a gap. */
import type { SourceLocation } from '../../errors.ts'
import type { WindowPlan } from '../plan/cursor-plan.ts'
import type { SlicingPlan } from '../plan/plan.ts'
import { DateTime } from '../template/dates/date-time.ts'
import { subtractDuration } from '../template/dates/duration.ts'
import { isObject } from './reach.ts'
import type { StreamState } from './state.ts'
import { dateIn, durationOf } from './time-axis.ts'
import { isBefore } from './windows.ts'

export type RetentionPlan = {
  /** An ISO 8601 duration: `P90D`. */
  readonly period: string
  readonly at: SourceLocation
}

/**
 * `slicings`: the ways the stream can be read, the full one first; the first that understands the state decides. A
 * state that none understands is stale, so that everything is read.
 *
 * @example isStale({ period: 'P90D', at }, [full.slicing, incremental.slicing], state, now)
 */
export function isStale(
  retention: RetentionPlan,
  slicings: readonly Pick<SlicingPlan, 'cursor' | 'routers'>[],
  state: StreamState,
  now: () => number,
): boolean {
  const oldest = subtractDuration(DateTime.fromEpochMs(now()), durationOf(retention.period, retention.at))
  for (const { cursor, routers } of slicings) {
    // Airbyte: a stream that was read whole is up to date.
    if (cursor === null && state.__ab_no_cursor_state_message) return false
    if (cursor?.kind !== 'time') continue
    const reached = reachedIn(cursor, routers.length > 0 ? state.state : state)
    if (reached !== null) return isBefore(reached, oldest)
  }
  return true
}

function reachedIn(plan: WindowPlan, state: unknown): DateTime | null {
  if (!isObject(state)) return null
  const formats = [plan.format, ...plan.cursorFormats]
  if (state.state_type !== 'date-range') return dateIn(state[plan.cursorField], formats)
  const [first]: unknown[] = Array.isArray(state.slices) ? state.slices : []
  if (!isObject(first)) return null
  return dateIn(first.most_recent_cursor_value ?? first.end, formats)
}
