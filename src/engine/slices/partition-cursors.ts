/** The cursors of a stream's partitions: as the state brought them, made as partitions come, bounded in number. */
import type { Axis } from './axis.ts'
import { type OneCursor, oneCursor } from './one-cursor.ts'
import { legacyKey } from './partition-key.ts'
import { reachIn } from './reach.ts'
import type { SavedPartitions } from './saved-partitions.ts'
import type { Partition } from './slice.ts'
import type { StreamState } from './state.ts'
import type { Tell } from './tell.ts'

/** Airbyte: beyond this many, all partitions share one cursor, and states stay small. */
const sharedBeyond = 10_000
/** Airbyte: the most cursors held at a time. */
const maxHeld = 25_000

export type PartitionCursors<V> = {
  /** The cursor of a partition that is about to be read. `isBusy` tells the partitions that cannot go now. */
  open(key: string, partition: Partition, isBusy: (key: string) => boolean): OneCursor<V>
  /** Where partitions without a state begin: where all others were, less the time the last read took. */
  openShared(): OneCursor<V>
  /** Whether all partitions share one cursor, from the start or by now. */
  isShared(): boolean
  isRead(key: string): boolean
  markRead(key: string): void
  /** All partitions were read up to here, and that took so long. */
  advance(shared: V | null, seconds: number): void
  state(): StreamState
}

/** What the state brought is opened when its partition comes. */
type Held<V> = {
  readonly partition: Partition
  readonly saved: StreamState
  cursor: OneCursor<V> | null
  isRead: boolean
}

export function partitionCursors<V>(
  axis: Axis<V>,
  { partitions, ...saved }: SavedPartitions<V>,
  isSharedFromStart: boolean,
  tell: Tell,
): PartitionCursors<V> {
  const held = new Map<string, Held<V>>()
  for (const [key, own] of partitions) held.set(key, { ...own, cursor: null, isRead: false })
  let isShared = saved.isShared ?? isSharedFromStart
  let { shared, lookbackSeconds } = saved
  let known = held.size

  const openAt = (state: StreamState | undefined) => oneCursor(axis, reachIn(axis, state, tell), tell)
  const openShared = () => {
    if (shared === null) return openAt(undefined)
    const value = lookbackSeconds > 0 ? axis.earlier(shared, lookbackSeconds) : shared
    return openAt({ [axis.cursorField]: axis.write(value) })
  }
  /** What a legacy state knew of the partition, under its older name, moves to the new one. */
  const openLegacy = (partition: Partition): OneCursor<V> | null => {
    const key = legacyKey(partition)
    const legacy = key === null ? undefined : held.get(key)
    if (key === null || legacy === undefined || legacy.cursor !== null) return null
    held.delete(key)
    known--
    return openAt(legacy.saved)
  }

  return {
    open(key, partition, isBusy) {
      if (known > sharedBeyond) isShared = true
      while (held.size >= maxHeld) held.delete(oldest(held, isBusy))
      const own = held.get(key)
      if (own !== undefined) return (own.cursor ??= openAt(own.saved))
      const cursor = openLegacy(partition) ?? openShared()
      known++
      if (!isShared) held.set(key, { partition, saved: {}, cursor, isRead: false })
      return cursor
    },
    openShared,
    isShared: () => isShared,
    isRead: (key) => held.get(key)?.isRead === true,
    markRead(key) {
      const own = held.get(key)
      if (own !== undefined) own.isRead = true
    },
    advance(reached, seconds) {
      shared = reached
      lookbackSeconds = seconds
    },
    state: () => ({
      use_global_cursor: isShared,
      ...(!isShared && { states: [...held.values()].map(stateOf) }),
      ...(shared !== null && { state: { [axis.cursorField]: axis.write(shared) } }),
      lookback_window: lookbackSeconds,
    }),
  }
}

function stateOf<V>({ partition, saved, cursor }: Held<V>) {
  return { partition, cursor: cursor?.state() ?? saved }
}

/** The one that came first, of those that are not being read if there are any. */
function oldest<V>(held: ReadonlyMap<string, Held<V>>, isBusy: (key: string) => boolean): string {
  let first = ''
  for (const key of held.keys()) {
    if (!isBusy(key)) return key
    first ||= key
  }
  return first
}
