/** A window that is too large for the API → its two halves. */
import type { WindowPlan } from '../plan/cursor.ts'
import { durationOf } from '../plan/read-fields.ts'
import type { SplittingPlan } from '../plan/smaller-requests.ts'
import { fromMicros, microsOf, TimeDelta } from '../template/dates/time-delta.ts'
import type { Slice } from './slice.ts'
import { dateIn, writeDate } from './time-axis.ts'

/** In order, without a gap: the second begins one granularity after the first ends. Null where the slice is as small as it may be. */
export function halvesOf(
  slice: Slice,
  cursor: WindowPlan,
  { least, at }: SplittingPlan,
): readonly [Slice, Slice] | null {
  const { startField, endField, format } = cursor
  const [start, end] = [startField, endField].map((field) => dateIn(slice.window[field], [format]))
  const granularity = cursor.granularity === null ? null : durationOf(cursor.granularity, cursor.at)
  // Months have no fixed length: Airbyte cannot count them either.
  if (!start || !end || !(granularity instanceof TimeDelta)) return null
  const span = end.since(start)
  const smallest = least === null ? null : durationOf(least, at)
  if (smallest instanceof TimeDelta && span.compare(smallest) <= 0) return null

  const unit = microsOf(granularity)
  const units = unit > 0n ? microsOf(span) / unit + 1n : 0n
  if (units <= 1n) return null
  const first = start.plus(fromMicros((units / 2n - 1n) * unit))
  const window = (from: typeof start, to: typeof start) => ({
    ...slice,
    window: { ...slice.window, [startField]: writeDate(from, format), [endField]: writeDate(to, format) },
  })
  return [window(start, first), window(first.plus(granularity), end)]
}
