/** How far a stream got: the newest cursor seen, in the shape Airbyte keeps it. */
import type { JsonRecord, StreamPlan } from '../plan/plan.ts'
import { formatDate } from '../template/dates/airbyte-format.ts'
import { pythonText } from '../template/text.ts'
import { cursorOf, later, reachedBefore, type SliceTools } from './windows.ts'

export type StreamState = Readonly<Record<string, unknown>>

export type StateTracker = {
  observe(records: readonly JsonRecord[]): void
  /** What to store after a slice; null when the stream has nothing to go on from. */
  current(): StreamState | null
}

/** Airbyte: what a stream without a cursor leaves behind once it was read whole. */
export const wholeReadState: StreamState = { __ab_no_cursor_state_message: true }

/** Slices are read in order, so the newest cursor seen is how far the stream got. */
export function trackState({ slicing }: StreamPlan, tools: SliceTools): StateTracker {
  const { cursor: window, routers } = slicing
  // A cursor per partition comes with the connectors' own states; until then such streams are read whole.
  if (window === null || routers.length > 0) return { observe: () => {}, current: () => null }

  let newest = reachedBefore(window, tools)
  return {
    observe(records) {
      for (const record of records) newest = later(cursorOf(window, record) ?? newest, newest)
    },
    current: () => ({ [window.cursorField]: formatDate(newest, window.format) }),
  }
}

/** The cursor to go on from, out of a state that this engine or Airbyte wrote. */
export function cursorIn({ slicing }: StreamPlan, state: StreamState | undefined): string | undefined {
  if (slicing.cursor === null || slicing.routers.length > 0) return undefined
  const cursor = state?.[slicing.cursor.cursorField]
  return cursor === undefined || cursor === null ? undefined : pythonText(cursor)
}
