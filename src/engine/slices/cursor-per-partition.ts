/** A cursor for each partition of a stream, and one over all of them for the partitions still to come. */
import type { Axis } from './axis.ts'
import type { StreamCursor } from './cursor.ts'
import { highest } from './intervals.ts'
import { type OneCursor, oneCursor } from './one-cursor.ts'
import { parentProgress } from './parent-state.ts'
import { rememberedKeys } from './partition-key.ts'
import { reachIn } from './reach.ts'
import { cursorReader } from './record-cursor.ts'
import { savedPartitions } from './saved-partitions.ts'
import type { Partition, Slice, Window } from './slice.ts'
import type { StreamState } from './state.ts'
import type { Tell } from './tell.ts'

export type PartitionTools = {
  readonly now: () => number
  readonly state: StreamState | undefined
  readonly parentState: (() => StreamState) | undefined
  readonly isShared: boolean
  readonly isFiltering: boolean
  readonly isDataFeed: boolean
}

/** Airbyte: beyond this many, all partitions share one cursor, and states stay small. */
const sharedBeyond = 10_000
/** Airbyte: the most cursors held at a time. */
const maxHeld = 25_000
/** A state that lists every partition is worth writing again when so much of it is new, or so much time has passed. */
const newsShare = 0.1
const newsAfterMs = 60_000

/** A partition with a cursor of its own: as the state brought it until it is read. */
type Held<V> = {
  readonly partition: Partition
  readonly saved: StreamState
  cursor: OneCursor<V> | null
  isRead: boolean
}
/** A partition whose slices are being read. */
type Running<V> = { readonly cursor: OneCursor<V>; readonly sequence: number; open: number; isGenerated: boolean }

export function cursorPerPartition<V>(axis: Axis<V>, tools: PartitionTools, tell: Tell): StreamCursor {
  const { now } = tools
  const startedAt = now()
  const saved = savedPartitions(axis, tools.state, tell)
  const held = new Map<string, Held<V>>()
  for (const [key, own] of saved.partitions) held.set(key, { ...own, cursor: null, isRead: false })
  const running = new Map<string, Running<V>>()
  const parents = parentProgress(saved.parentState, tools.parentState)
  const readCursor = cursorReader(axis, tell)
  const keyOf = rememberedKeys()
  let isShared = saved.isShared ?? tools.isShared
  let { shared, lookbackSeconds } = saved
  let newestOfAll = shared
  let known = held.size
  let sequence = 0
  let hasRecords = false
  let isFinished = false
  let news = 0
  let storedAt = startedAt

  /** Partitions without a state of their own begin where all others were, less the time the last read took. */
  const openShared = () => {
    if (shared === null) return oneCursor(axis, reachIn(axis, undefined, tell), tell)
    const value = lookbackSeconds > 0 ? axis.earlier(shared, lookbackSeconds) : shared
    return oneCursor(axis, reachIn(axis, { [axis.cursorField]: axis.write(value) }, tell), tell)
  }
  const cursorFor = (key: string, partition: Partition): OneCursor<V> => {
    const own = held.get(key)
    if (own !== undefined) return (own.cursor ??= oneCursor(axis, reachIn(axis, own.saved, tell), tell))
    return hold(key, partition, openShared())
  }
  const hold = (key: string, partition: Partition, cursor: OneCursor<V>): OneCursor<V> => {
    known++
    if (!isShared) held.set(key, { partition, saved: {}, cursor, isRead: false })
    return cursor
  }
  const makeRoom = () => {
    if (known > sharedBeyond) isShared = true
    while (held.size >= maxHeld) {
      const oldest = [...firstIdle(held, running)][0] ?? held.keys().next().value
      if (oldest === undefined) break
      held.delete(oldest)
    }
  }
  const endIfRead = (key: string, partition: Running<V>) => {
    if (!partition.isGenerated || partition.open > 0) return
    running.delete(key)
    const own = held.get(key)
    if (own !== undefined) own.isRead = true
    if (!isShared) newestOfAll = highest(axis, newestOfAll, partition.cursor.reached())
    parents.closed(partition.sequence)
  }
  function* windowsIn(key: string, partition: Running<V>): Generator<Window> {
    for (const window of partition.cursor.windows()) {
      partition.open++
      yield window
    }
    partition.isGenerated = true
    endIfRead(key, partition)
  }
  const cursorOf = ({ partition }: Slice) => running.get(keyOf(partition))?.cursor ?? openShared()

  return {
    windowsOf(partition) {
      const key = keyOf(partition)
      if (running.has(key) || held.get(key)?.isRead) {
        tell('twice', `The partition ${key.slice(0, 80)} comes twice; it is read once.`)
        return []
      }
      makeRoom()
      const started = { cursor: cursorFor(key, partition), sequence: sequence++, open: 0, isGenerated: false }
      running.set(key, started)
      parents.opened(started.sequence)
      return windowsIn(key, started)
    },
    isFiltering: tools.isFiltering,
    isWanted(record, slice) {
      if (!tools.isFiltering) return true
      const value = readCursor(record)
      return value === null || cursorOf(slice).isWanted(value)
    },
    hasReachedOld(lastRecord, slice) {
      if (!tools.isDataFeed || lastRecord === undefined) return false
      const value = readCursor(lastRecord)
      return value !== null && cursorOf(slice).isOld(value)
    },
    observe(slice, records) {
      const newest = readCursor.newest(records)
      if (newest === null) return
      hasRecords = true
      newestOfAll = highest(axis, newestOfAll, newest)
      if (!isShared) running.get(keyOf(slice.partition))?.cursor.observe(slice.window, newest)
    },
    close(slice) {
      const key = keyOf(slice.partition)
      const partition = running.get(key)
      if (partition === undefined) return
      partition.open--
      news++
      if (!isShared) partition.cursor.close(slice.window)
      endIfRead(key, partition)
    },
    finish() {
      if (running.size > 0) return
      if (hasRecords) {
        shared = newestOfAll
        lookbackSeconds = Math.ceil((now() - startedAt) / 1000)
      }
      parents.finished()
      isFinished = true
      news++
    },
    hasNews() {
      if (news === 0) return false
      if (isFinished) return true
      if (isShared) return parents.hasNews()
      return news >= held.size * newsShare || now() - storedAt >= newsAfterMs
    },
    state() {
      // The cursor that all share moves when all were read; until then only the parents' progress is worth keeping.
      if (isShared && !isFinished && !parents.hasNews()) return null
      news = 0
      storedAt = now()
      const parentState = parents.take()
      return {
        use_global_cursor: isShared,
        ...(!isShared && { states: [...held.values()].map(stateOfPartition) }),
        ...(shared !== null && { state: { [axis.cursorField]: axis.write(shared) } }),
        lookback_window: lookbackSeconds,
        ...(parentState !== null && { parent_state: parentState }),
      }
    },
  }
}

function stateOfPartition<V>({ partition, saved, cursor }: Held<V>) {
  return { partition, cursor: cursor?.state() ?? saved }
}

/** Those that can go without touching what is being read, oldest first. */
function* firstIdle<V>(
  held: ReadonlyMap<string, Held<V>>,
  running: ReadonlyMap<string, Running<V>>,
): Generator<string> {
  for (const key of held.keys()) if (!running.has(key)) yield key
}
