/** The text of a stored state, checked whole: people edit files, and disks lose the ends of them. */
import { isObject } from '../std/values/objects.ts'
import type { LastRun, ScheduledStatus, ScheduleState } from './decide.ts'

/** Null where it is not the state of a schedule. */
export function parseState(text: string): ScheduleState | null {
  const state = parsed(text)
  return isState(state) ? state : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isState(value: unknown): value is ScheduleState {
  if (!isObject(value)) return false
  const { times, settledUntil, failures, last } = value
  return typeof times === 'string' && isTime(settledUntil) && isCount(failures) && (last === null || isRun(last))
}

function isRun(value: unknown): value is LastRun {
  if (!isObject(value)) return false
  const { startedAt, endedAt, status, exitStatus, run, error } = value
  return (
    isTime(startedAt) &&
    (endedAt === null || isTime(endedAt)) &&
    typeof status === 'string' &&
    Object.hasOwn(statuses, status) &&
    (exitStatus === null || isCount(exitStatus)) &&
    (run === null || typeof run === 'string') &&
    (error === null || isError(error))
  )
}

const statuses: Readonly<Record<ScheduledStatus, true>> = {
  running: true,
  complete: true,
  incomplete: true,
  held: true,
  failed: true,
  interrupted: true,
  cancelled: true,
  busy: true,
}

function isError(value: unknown): boolean {
  return isObject(value) && [value.code, value.message, value.hint].every((one) => typeof one === 'string')
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

/** Dates end there; a number beyond cannot be shown as one. */
const lastTime = 8.64e15

function isTime(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) <= lastTime
}
