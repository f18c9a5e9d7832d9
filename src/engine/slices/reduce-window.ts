/** A slice + the newest record seen in it → the part of the slice that is still to be read. */
import type { WindowPlan } from '../plan/cursor.ts'
import { formatDate, parseDate } from '../template/dates/airbyte-format.ts'
import type { DateTime } from '../template/dates/date-time.ts'
import { pythonText } from '../template/text.ts'
import type { Slice } from './slice.ts'

/** From the newest record on, itself included: others may share its time, so the records of that moment come again. */
export function reduceWindow(plan: WindowPlan, slice: Slice, newest: DateTime): Slice {
  return { ...slice, window: { ...slice.window, [plan.startField]: formatDate(newest, plan.format) } }
}

/** Whether this moment lies behind the slice's end; nothing is left to read from there, though something may be before. */
export function isBehind(plan: WindowPlan, slice: Slice, moment: DateTime): boolean {
  const end = slice.window[plan.endField]
  return end !== undefined && end !== null && parseDate(pythonText(end), plan.format).since(moment).days < 0
}
