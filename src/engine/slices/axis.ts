/** What a cursor moves along: moments in time, or numbers that count up. */
import type { Interval, Order } from './intervals.ts'
import type { Window } from './slice.ts'
import { Float, integer } from '../../std/json.ts'
import type { CountPlan } from '../plan/cursor.ts'

export type Axis<V> = Order<V> & {
  readonly cursorField: string
  /** Where the stream begins. */
  readonly start: V
  /** Where a read ends: mostly now, so it is asked anew. Null when nothing bounds it. */
  readonly end: () => V | null
  /** A record's cursor; null when it cannot be read. */
  readonly ofRecord: (value: unknown) => V | null
  /** A value that a state or a window holds; null when it cannot be read. */
  readonly ofState: (value: unknown) => V | null
  /** As states and windows hold it. */
  readonly write: (value: V) => unknown
  /** The manifest's lookback before a value that an earlier read reached. */
  readonly beforeLookback: (value: V) => V
  /** Some seconds earlier, where seconds mean anything. */
  readonly earlier: (value: V, seconds: number) => V
  /** What is still to be read, in order, next to what was; there is at least one interval of it. */
  readonly windows: (read: readonly Interval<V>[]) => Iterable<Window>
  /** What a window covered once it was read to its end; null when that is unknown. */
  readonly covered: (window: Window, from: V, newest: V | null) => Interval<V> | null
}

type Count = number | bigint

export function countAxis({ cursorField, start, startField }: CountPlan): Axis<Count> {
  return {
    cursorField,
    start,
    end: () => null,
    compare: (one, other) => (one < other ? -1 : one > other ? 1 : 0),
    after: (value) => (typeof value === 'bigint' ? value + 1n : value + 1),
    ofRecord: countIn,
    ofState: countIn,
    write: (value) => value,
    beforeLookback: (value) => value,
    earlier: (value) => value,
    // A request says where to begin and nothing else: of several gaps the first one decides.
    windows: ([first]) => [{ [startField]: first === undefined || first.end < start ? start : first.end }],
    covered: (_, from, newest) => (newest === null ? null : { start: from, end: newest, newest }),
  }
}

/** APIs write long numbers as strings, too. */
function countIn(value: unknown): Count | null {
  if (typeof value === 'bigint') return value
  if (value instanceof Float) return value.value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' && /^[+-]?\d{1,400}$/.test(value) ? integer(BigInt(value)) : null
}
