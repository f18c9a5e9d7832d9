/** The records of a slice, page by page → where its pages start again, or the reason why they cannot. */
import { ConnectorError } from '../../std/errors.ts'
import type { WindowPlan } from '../plan/cursor.ts'
import type { ErrorRules } from '../plan/errors.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { StreamPlan } from '../plan/stream.ts'
import { isBehind, reduceWindow } from '../slices/reduce-window.ts'
import type { Slice } from '../slices/slice.ts'
import { dateIn } from '../slices/time-axis.ts'
import { isBefore } from '../slices/windows.ts'
import type { DateTime } from '../template/dates/date-time.ts'

export type ResetTracker = {
  observe(records: readonly JsonRecord[]): void
  /** Whether the slice has brought as many records as it may between two starts. */
  isFull(): boolean
  /** The slice to go on with; throws when going on would lead nowhere. */
  restart(): Slice
}

/** Airbyte: a slice that cannot shrink is started a second time, in the hope of a better answer, and no third time. */
const mostStartsOver = 1

export function trackReset({ name, reset, slicing }: StreamPlan, slice: Slice): ResetTracker {
  const window = reset.splits && slicing.cursor?.kind === 'time' ? slicing.cursor : null
  const seen = newestIn(slice, window)
  let current = slice
  let count = 0
  let startsOver = 0

  const refuse = (code: 'pagination/reset-loop' | 'pagination/reset-unordered', why: string) =>
    new ConnectorError(code, `Stream "${name}" cannot start its pages again: ${why}.`, { at: reset.at })

  return {
    observe(records) {
      count += records.length
      seen.observe(records)
    },
    isFull: () => reset.maxRecords !== null && count >= reset.maxRecords,
    restart() {
      if (!seen.isAscending()) {
        throw refuse('pagination/reset-unordered', 'its records are not sorted by the cursor, some would be lost')
      }
      const newest = seen.newest()
      const reduced = window === null || newest === null ? current : reduceWindow(window, slice, newest)
      const isSame = window === null || reduced.window[window.startField] === current.window[window.startField]
      if (isSame && (window !== null || startsOver >= mostStartsOver)) {
        throw refuse(
          'pagination/reset-loop',
          `${count} records after the last start there is no later place to go on from`,
        )
      }
      if (isSame) startsOver++
      current = reduced
      count = 0
      seen.startAgain()
      return current
    },
  }
}

/** The newest moment that lies within the slice, and whether the records came in its order. */
function newestIn(slice: Slice, window: WindowPlan | null) {
  const formats = window === null ? [] : [...window.cursorFormats, window.format]
  let newest: DateTime | null = null
  let last: DateTime | null = null
  let isAscending = true
  return {
    observe(records: readonly JsonRecord[]) {
      if (window === null) return
      for (const record of records) {
        const moment = dateIn(record[window.cursorField], formats)
        if (moment === null) continue
        if (last !== null && isBefore(moment, last)) isAscending = false
        last = moment
        // A record dated behind the end would move the start past everything that is still to come.
        if (!isBehind(window, slice, moment) && (newest === null || isBefore(newest, moment))) newest = moment
      }
    },
    newest: () => newest,
    isAscending: () => isAscending,
    startAgain() {
      last = null
    },
  }
}

/** Most streams never start again, and their pages pass untouched. */
export function mayReset({ reset, requester }: StreamPlan): boolean {
  return reset.maxRecords !== null || rulesMayReset(requester.errors.rules)
}

function rulesMayReset(rules: ErrorRules): boolean {
  switch (rules.kind) {
    case 'filters':
      return rules.filters.some(({ action }) => action === 'reset')
    case 'in-turn':
      return rules.members.some(rulesMayReset)
    case 'custom':
      return true
  }
}
