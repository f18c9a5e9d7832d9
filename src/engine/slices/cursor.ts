/** Temporary. */
import type { Config, JsonRecord, SlicingPlan } from '../plan/plan.ts'
import { formatDate } from '../template/dates/airbyte-format.ts'
import { pythonText } from '../template/text.ts'
import type { Slice } from './slice.ts'
import type { StreamState } from './state.ts'
import { cursorOf, isWithin, later, reachedBefore, windowsOf } from './windows.ts'

export type StreamCursor = {
  windowsOf(partition: Slice['partition']): Iterable<Slice['window']>
  isWanted(record: JsonRecord, slice: Slice): boolean
  hasReachedOld(lastRecord: JsonRecord | undefined, slice: Slice): boolean
  observe(slice: Slice, records: readonly JsonRecord[]): void
  close(slice: Slice): void
  finish(): void
  state(): StreamState | null
}
export function openCursor(
  plan: SlicingPlan,
  tools: {
    config: Config
    now: () => number
    state?: StreamState | undefined
    report: (warning: string) => void
    parentState?: () => Record<string, StreamState>
  },
): StreamCursor {
  const { cursor } = plan
  if (cursor === null || plan.routers.length > 0) {
    return {
      *windowsOf() {
        if (cursor === null) yield {}
        else yield* windowsOf(cursor, tools)
      },
      isWanted: () => true,
      hasReachedOld: () => false,
      observe() {},
      close() {},
      finish() {},
      state: () => null,
    }
  }
  const known = tools.state?.[cursor.cursorField]
  const withCursor = { ...tools, cursor: known === undefined || known === null ? undefined : pythonText(known) }
  const isIn = cursor.isClientSide ? isWithin(cursor, withCursor) : () => true
  let newest = reachedBefore(cursor, withCursor)
  return {
    windowsOf: () => windowsOf(cursor, withCursor),
    isWanted: (record) => isIn(record),
    hasReachedOld: () => false,
    observe(_slice, records) {
      for (const record of records) newest = later(cursorOf(cursor, record) ?? newest, newest)
    },
    close() {},
    finish() {},
    state: () => ({ [cursor.cursorField]: formatDate(newest, cursor.format) }),
  }
}
