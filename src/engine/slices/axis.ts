/** What a cursor moves along: moments in time, or numbers that count up. */
import type { Interval, Order } from './intervals.ts'
import type { Window } from './slice.ts'

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
  /** What a window covered once it was read to its end; null when that cannot be told. */
  readonly covered: (window: Window, from: V, newest: V | null) => Interval<V> | null
}
