/** What was read of a stream, as intervals; adjacent ones are merged. */

export type Interval<V> = {
  readonly start: V
  readonly end: V
  /** The highest cursor of its records; null when it had none. */
  readonly newest: V | null
}

export type Order<V> = {
  /** Negative when `one` comes first. */
  readonly compare: (one: V, other: V) => number
  /** The value right after: an interval that begins there continues the one that ended here. */
  readonly after: (value: V) => V
}

/** In order, without overlaps. Everything before the end of the first one has been read without a gap. */
export function mergeIntervals<V>(order: Order<V>, intervals: readonly Interval<V>[]): Interval<V>[] {
  const { compare, after } = order
  const sorted = intervals.toSorted((one, other) => compare(one.start, other.start) || compare(one.end, other.end))
  const merged: Interval<V>[] = []
  for (const interval of sorted) {
    const last = merged.at(-1)
    if (last === undefined || compare(after(last.end), interval.start) < 0) {
      merged.push(interval)
      continue
    }
    merged[merged.length - 1] = {
      start: last.start,
      end: higher(order, last.end, interval.end),
      newest: highest(order, last.newest, interval.newest),
    }
  }
  return merged
}

/** As Python's `max`: of two that are equal, the first. */
function higher<V>({ compare }: Order<V>, one: V, other: V): V {
  return compare(other, one) > 0 ? other : one
}

export function highest<V>(order: Order<V>, one: V | null, other: V | null): V | null {
  if (one === null || other === null) return one ?? other
  return higher(order, one, other)
}
