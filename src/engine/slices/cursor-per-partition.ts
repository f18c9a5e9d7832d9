/** A cursor for each partition of a stream, and one over all of them for the partitions still to come. */
import type { Axis } from './axis.ts'
import { highest } from './intervals.ts'
import type { OneCursor } from './one-cursor.ts'
import { type ParentStates, parentProgress } from './parent-state.ts'
import { partitionCursors, rememberedKeys, savedPartitions } from './partition-cursors.ts'
import { twice } from './partitions.ts'
import { cursorReader } from './record-cursor.ts'
import type { Slice, Window } from './slice.ts'
import type { WarnOnce } from './warn-once.ts'
import type { StreamState, StreamCursor } from './stream-cursor.ts'

type PartitionTools = {
  readonly now: () => number
  readonly readAt: number | undefined
  readonly state: StreamState | undefined
  readonly parentState: ParentStates | undefined
  readonly isShared: boolean
  readonly isFiltering: boolean
  readonly isDataFeed: boolean
}

/** A state lists every partition: written after each of 2,000 it would be ten times the data. Airbyte waits ten minutes. */
const newsAfterMs = 60_000

/** A partition whose slices are being read. */
type Running<V> = {
  readonly cursor: OneCursor<V>
  readonly sequence: number
  /** Slices that were generated and not closed. */
  open: number
  isGenerated: boolean
  wasRead: boolean
  /** Whether an earlier run read some of it. */
  isResumed: boolean
}

export function cursorPerPartition<V>(axis: Axis<V>, tools: PartitionTools, warn: WarnOnce): StreamCursor {
  const { now, isFiltering, isDataFeed } = tools
  const startedAt = tools.readAt ?? now()
  const saved = savedPartitions(axis, tools.state, warn)
  const cursors = partitionCursors(axis, saved, tools.isShared, warn)
  const parents = parentProgress(saved.parentState, tools.parentState)
  const readCursor = cursorReader(axis, warn)
  const keyOf = rememberedKeys()
  const running = new Map<string, Running<V>>()
  const isBusy = (key: string) => running.has(key)
  let newestOfAll = saved.shared
  let sequence = 0
  let hasRecords = false
  let isEnding = false
  let isFinished = false
  let news = 0
  let storedAt = startedAt

  const endIfRead = (key: string, partition: Running<V>) => {
    if (!partition.isGenerated || partition.open > 0) return
    running.delete(key)
    cursors.markRead(key)
    if (!partition.isResumed) parents.closed(partition.sequence)
    // A partition with nothing to read is ahead of the read: it must not pull the others along.
    if (partition.wasRead && !cursors.isShared()) {
      newestOfAll = highest(axis, newestOfAll, partition.cursor.reached())
    }
  }
  function* windowsIn(key: string, partition: Running<V>): Generator<Window> {
    for (const window of partition.cursor.windows()) {
      partition.open++
      yield window
    }
    partition.isGenerated = true
    endIfRead(key, partition)
  }
  const cursorOf = ({ partition }: Slice) => running.get(keyOf(partition))?.cursor ?? cursors.openShared()

  return {
    windowsOf(partition) {
      const key = keyOf(partition)
      if (isBusy(key) || cursors.isRead(key)) {
        warn('twice', twice(key))
        return []
      }
      const cursor = cursors.open(key, partition, isBusy)
      const started = { cursor, sequence: sequence++, open: 0, isGenerated: false, wasRead: false, isResumed: false }
      running.set(key, started)
      parents.opened(started.sequence)
      return windowsIn(key, started)
    },
    isFiltering,
    isWanted(record, slice) {
      if (!isFiltering) return true
      const value = readCursor(record)
      return value === null || cursorOf(slice).isWanted(value)
    },
    hasReachedOld(lastRecord, slice) {
      if (!isDataFeed || lastRecord === undefined) return false
      const value = readCursor(lastRecord)
      return value !== null && cursorOf(slice).isOld(value)
    },
    observe(slice, records) {
      const newest = readCursor.newest(records)
      if (newest === null) return
      hasRecords = true
      newestOfAll = highest(axis, newestOfAll, newest)
      if (!cursors.isShared()) running.get(keyOf(slice.partition))?.cursor.observe(slice.window, newest)
    },
    newest: readCursor.newestRecord,
    resume({ partition }) {
      const resumed = running.get(keyOf(partition))
      if (resumed !== undefined) resumed.isResumed = true
    },
    close(slice) {
      const key = keyOf(slice.partition)
      const partition = running.get(key)
      if (partition === undefined) return
      partition.open--
      partition.wasRead = true
      news++
      if (!cursors.isShared()) partition.cursor.close(slice.window)
      endIfRead(key, partition)
    },
    covers({ partition, window }) {
      if (cursors.isShared()) return isFinished
      const key = keyOf(partition)
      return cursors.isRead(key) || running.get(key)?.cursor.covers(window) === true
    },
    finish(isWhole = true) {
      isEnding = true
      cursors.warnOfNew()
      if (!isWhole || running.size > 0) return
      if (hasRecords) cursors.advance(newestOfAll, Math.ceil((now() - startedAt) / 1000))
      parents.finished()
      isFinished = true
      news++
    },
    hasNews() {
      if (news === 0) return false
      if (isFinished) return true
      if (!isEnding && now() - storedAt < newsAfterMs) return false
      return !cursors.isShared() || parents.hasNews()
    },
    state() {
      // The cursor that all share moves when all were read; until then only the parents' progress is worth keeping.
      if (cursors.isShared() && !isFinished && !parents.hasNews()) return null
      news = 0
      storedAt = now()
      const parentState = parents.take()
      return { ...cursors.state(), ...(parentState !== null && { parent_state: parentState }) }
    },
  }
}
