/** The cursor of a stream, or of one of its partitions: what was read, what is left, how far it got. */
import { stringifyJson } from '../../std/json.ts'
import type { Axis } from './axis.ts'
import { highest, type Interval, mergeIntervals } from './intervals.ts'
import type { SavedProgress } from './saved-progress.ts'
import type { Window } from './slice.ts'
import type { WarnOnce } from './warn-once.ts'
import type { StreamState } from './stream-cursor.ts'

export type OneCursor<V> = {
  windows(): Iterable<Window>
  /** Whether a record with this cursor belongs to what is read. */
  isWanted(value: V): boolean
  /** Whether it was read before, lookback excepted. */
  isOld(value: V): boolean
  observe(window: Window, newest: V): void
  close(window: Window): void
  /** Whether the window lies within what was read without a gap. */
  covers(window: Window): boolean
  /** Up to here everything was read, without a gap from the start. */
  reached(): V
  state(): StreamState
}

export function oneCursor<V>(axis: Axis<V>, reach: SavedProgress<V>, warn: WarnOnce): OneCursor<V> {
  const { compare } = axis
  const { from, rest } = reach
  let read: readonly Interval<V>[] = mergeIntervals(axis, reach.read)
  /** Per window that is being read. */
  const newest = new Map<string, V>()
  /** Windows within what was read before, as those of a lookback, that are not closed: they leave no gap. */
  const again = new Set<string>()
  /** Until they are, the state moves no further: the next lookback then begins where this one does. */
  const resumedAt = read.at(-1)?.end ?? from
  const withinReach = (value: V) => (again.size > 0 && compare(value, resumedAt) > 0 ? resumedAt : value)
  const lowest = firstWanted(axis, reach)
  const isOld = (value: V) => compare(value, lowest) < 0

  const isAgain = (window: Window) => {
    const bounds = axis.covered(window, from, null)
    if (bounds === null) return false
    return reach.read.some(({ start, end }) => compare(start, bounds.start) <= 0 && compare(bounds.end, end) <= 0)
  }
  const reached = () => {
    const [first] = read
    return withinReach(first?.newest ?? first?.start ?? from)
  }
  return {
    *windows() {
      const end = axis.end()
      if (end !== null && compare(from, end) > 0) warnAhead(axis, reach, end, warn)
      for (const window of axis.windows(read)) {
        if (isAgain(window)) again.add(stringifyJson(window))
        yield window
      }
    },
    isOld,
    isWanted(value) {
      const end = axis.end()
      return !isOld(value) && (end === null || compare(value, end) <= 0)
    },
    observe(window, value) {
      const key = stringifyJson(window)
      newest.set(key, highest(axis, newest.get(key) ?? null, value) ?? value)
    },
    close(window) {
      const key = stringifyJson(window)
      const covered = axis.covered(window, from, newest.get(key) ?? null)
      newest.delete(key)
      again.delete(key)
      if (covered !== null) read = mergeIntervals(axis, [...read, covered])
    },
    covers(window) {
      const [first] = read
      if (first === undefined || again.has(stringifyJson(window))) return false
      const bounds = axis.covered(window, from, first.newest)
      return bounds !== null && compare(bounds.end, withinReach(first.end)) <= 0
    },
    reached,
    state: () => ({ ...rest, [axis.cursorField]: axis.write(reached()) }),
  }
}

/** Airbyte forgets the lookback here and drops the very records it is meant to bring. */
function firstWanted<V>({ compare, start, beforeLookback }: Axis<V>, { from, isResumed }: SavedProgress<V>): V {
  if (!isResumed) return from
  const before = beforeLookback(from)
  const first = compare(before, start) > 0 ? before : start
  return compare(first, from) < 0 ? first : from
}

function warnAhead<V>(axis: Axis<V>, { from, isResumed }: SavedProgress<V>, end: V, warn: WarnOnce): void {
  const [cursor, last] = [from, end].map((value) => stringifyJson(axis.write(value)))
  const who = isResumed ? 'The state is' : 'The start is'
  // The state is the newest cursor there was, as in Airbyte, also where one record had a wrong date.
  const next = isResumed
    ? ' If a record had a wrong date, leave it out by a record filter, and read once without the state.'
    : ''
  warn('ahead', `${who} at ${cursor}, after the end of this read (${last}): nothing is read until that time.${next}`)
}
