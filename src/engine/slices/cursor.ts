/** How a stream is read from where the last read stopped: the windows left, the records wanted, the state to store. */
import type { Config } from '../plan/plan.ts'
import type { SlicingPlan } from '../plan/slicing.ts'
import { type Axis, countAxis } from './axis.ts'
import { cursorPerPartition } from './cursor-per-partition.ts'
import { oneCursor } from './one-cursor.ts'
import type { ParentStates } from './parent-state.ts'
import { progressIn } from './saved-progress.ts'
import { cursorReader } from './record-cursor.ts'
import { type WarnOnce, warnOnce } from './warn-once.ts'
import { timeAxis } from './time-axis.ts'
import type { StreamState, StreamCursor } from './stream-cursor.ts'

export type CursorTools = {
  readonly config: Config
  readonly now: () => number
  /** When the read began, where it resumes an interrupted one: windows end there, as they did then. */
  readonly readAt?: number | undefined
  /** Where an earlier read stopped, in any of Airbyte's shapes; migrations have been applied. */
  readonly state?: StreamState | undefined
  /** The field a catalog names, for cursors that leave the choice. */
  readonly cursorField?: string | undefined
  readonly parentState?: ParentStates | undefined
  /** Called once per kind of warning. */
  readonly report?: ((warning: string) => void) | undefined
}

export function openCursor({ cursor, routers }: SlicingPlan, tools: CursorTools): StreamCursor {
  const warn = warnOnce(tools.report ?? (() => {}))
  if (cursor === null) return withoutCursor()
  const { isDataFeed, isShared, fieldIsFree } = cursor
  const plan = fieldIsFree && tools.cursorField ? { ...cursor, cursorField: tools.cursorField } : cursor
  // A data feed sends what was read before on its last page.
  const filter = { isFiltering: isDataFeed || cursor.isClientSide, isDataFeed }
  if (plan.kind === 'count') return cursorOfStream(countAxis(plan), { ...tools, ...filter }, warn)
  const { config, now, readAt, state, parentState } = tools
  const axis = timeAxis(plan, { config, now: readAt === undefined ? now : () => readAt })
  if (routers.length === 0) return cursorOfStream(axis, { ...tools, ...filter }, warn)
  return cursorPerPartition(axis, { now, readAt, state, parentState, isShared, ...filter }, warn)
}

type Filter = { readonly isFiltering: boolean; readonly isDataFeed: boolean }

/** One cursor for a stream that has no partitions. */
function cursorOfStream<V>(
  axis: Axis<V>,
  { state, isFiltering, isDataFeed }: Pick<CursorTools, 'state'> & Filter,
  warn: WarnOnce,
): StreamCursor {
  const cursor = oneCursor(axis, progressIn(axis, state, warn), warn)
  const readCursor = cursorReader(axis, warn)
  let open = 0
  /** A slice was read, or there was none to read: even then a state is stored. */
  let mayStore = false
  let stored: V | null = null
  return {
    *windowsOf() {
      for (const window of cursor.windows()) {
        open++
        yield window
      }
    },
    isFiltering,
    isWanted(record) {
      if (!isFiltering) return true
      const value = readCursor(record)
      return value === null || cursor.isWanted(value)
    },
    hasReachedOld(lastRecord) {
      if (!isDataFeed || lastRecord === undefined) return false
      const value = readCursor(lastRecord)
      return value !== null && cursor.isOld(value)
    },
    observe({ window }, records) {
      const newest = readCursor.newest(records)
      if (newest !== null) cursor.observe(window, newest)
    },
    newest: readCursor.newestRecord,
    resume() {},
    close({ window }) {
      cursor.close(window)
      open--
      mayStore = true
    },
    covers: ({ window }) => mayStore && cursor.covers(window),
    finish(isWhole = true) {
      mayStore ||= isWhole && open === 0
    },
    hasNews: () => mayStore && (stored === null || axis.compare(stored, cursor.reached()) !== 0),
    state() {
      if (!mayStore) return null
      stored = cursor.reached()
      return cursor.state()
    },
  }
}

/** Each partition is one slice, and only a whole read leaves a state. */
function withoutCursor(): StreamCursor {
  let open = 0
  let wasWhole = false
  return {
    *windowsOf() {
      open++
      yield {}
    },
    isFiltering: false,
    isWanted: () => true,
    hasReachedOld: () => false,
    observe() {},
    newest: () => null,
    resume() {},
    close() {
      open--
    },
    covers: () => false,
    finish(isWhole = true) {
      wasWhole = isWhole && open === 0
    },
    hasNews: () => wasWhole,
    state: () => (wasWhole ? wholeReadState : null),
  }
}

/** Airbyte: the state of a stream without a cursor after it was read whole. */
export const wholeReadState: StreamState = { __ab_no_cursor_state_message: true }
