/** Schedules, their last runs and the time → what to start now, and when to look again. Nothing here waits or writes. */
import { parseEvery, type Schedule, timeAfter, scheduleTimes } from '../connections/schedule.ts'

/** What is stored of a schedule between runs. */
export type ScheduleState = {
  /** The times that the rest belongs to: a schedule that was changed starts anew. */
  readonly times: string
  /** Times up to this one are settled: run, skipped or missed. Ms since 1970. */
  readonly settledUntil: number
  /** Failed runs in a row. */
  readonly failures: number
  readonly last: LastRun | null
}

export type LastRun = {
  readonly startedAt: number
  /** Null while it runs, and where its process ended before it did. */
  readonly endedAt: number | null
  readonly status: ScheduledStatus
  /** What `turnleaf sync` would have exited with; null while it runs. */
  readonly exitStatus: number | null
  /** The name of the run in the destination; null where none was opened. */
  readonly run: string | null
  readonly error: { readonly code: string; readonly message: string; readonly hint: string } | null
}

/**
 * `busy`: another sync of the connection was running, so nothing was done. `interrupted`: it resumes at once. `cancelled`: a
 * person ended its job, and the next run is at its time.
 */
export type ScheduledStatus =
  | 'running'
  | 'complete'
  | 'incomplete'
  | 'held'
  | 'failed'
  | 'interrupted'
  | 'cancelled'
  | 'busy'

export type StoredSchedule = {
  readonly name: string
  readonly schedule: Schedule
  readonly state: ScheduleState | null
}

export type Decision = {
  /** The state is stored before the run starts. The longest overdue first. */
  readonly start: readonly Change[]
  /** Other schedules that are new, were changed, or had times ahead of the clock: their states are stored. */
  readonly adopt: readonly Change[]
  /** The next time of any schedule that is not running; null where there is none. */
  readonly wakeAt: number | null
}

type Change = { readonly name: string; readonly state: ScheduleState }

/** @param slots how many runs may be started. */
export function decide(
  schedules: readonly StoredSchedule[],
  running: ReadonlySet<string>,
  now: number,
  slots: number,
): Decision {
  const adopt: Change[] = []
  const due: (Change & { readonly at: number })[] = []
  let wakeAt: number | null = null
  for (const { name, schedule, state: stored } of schedules) {
    const state = currentState(schedule, stored, now)
    if (state !== stored) adopt.push({ name, state })
    const at = running.has(name) ? null : nextStart(schedule, state, now)
    if (at === null) continue
    if (at <= now) due.push({ name, state: startedState(schedule, state, now), at })
    else wakeAt = Math.min(wakeAt ?? at, at)
  }
  const start = due.toSorted((one, other) => one.at - other.at).slice(0, Math.max(0, slots))
  const isStarted = ({ name }: Change) => start.some((one) => one.name === name)
  return {
    start: start.map(({ name, state }) => ({ name, state })),
    adopt: adopt.filter((one) => !isStarted(one)),
    wakeAt,
  }
}

/** A new schedule: `every` runs at once, `cron` at its next time. A changed one keeps its last run. */
export function currentState(schedule: Schedule, stored: ScheduleState | null, now: number): ScheduleState {
  const times = scheduleTimes(schedule)
  const known = stored === null ? null : notAhead(stored, now)
  if (known?.times === times) return known
  const { every } = schedule
  const lastStart = known?.last?.startedAt
  const before = every === undefined ? now : Math.min(now, lastStart ?? now - parseEvery(every))
  return { times, settledUntil: before, failures: 0, last: known?.last ?? null }
}

/** Clocks are corrected by less than this; a larger step back is another time. */
const clockStepMs = 60_000

/**
 * After a clock was set back, a stored time may be far ahead: waiting for it could take hours. It becomes the time of the
 * first look that notices, and that is stored: with a time of its own, each look would move the next run further away.
 */
function notAhead(state: ScheduleState, now: number): ScheduleState {
  const { settledUntil, last } = state
  const isAhead = (time: number) => time > now + clockStepMs
  if (![settledUntil, last?.startedAt ?? 0, last?.endedAt ?? 0].some(isAhead)) return state
  const believed = (time: number) => (isAhead(time) ? now : time)
  const endedAt = last === null || last.endedAt === null ? null : believed(last.endedAt)
  return {
    ...state,
    settledUntil: believed(settledUntil),
    last: last === null ? null : { ...last, startedAt: believed(last.startedAt), endedAt },
  }
}

/**
 * When it runs next; at most `now` where it is due, null where it is paused.
 * @param state the current one: no time in it is far ahead of `now`.
 */
export function nextStart(schedule: Schedule, state: ScheduleState, now: number): number | null {
  if (schedule.paused === true) return null
  const { last, failures, settledUntil } = state
  // What was interrupted resumes. If the whole process ended, the run may have been the reason: not at once then.
  if (last?.status === 'interrupted') return now
  if (last?.status === 'running') return last.startedAt + backoffMs(1)
  const waited = failures === 0 ? 0 : (last?.endedAt ?? 0) + backoffMs(failures)
  if (schedule.every !== undefined) return Math.max(timeAfter(schedule, settledUntil), waited)
  return timeAfter(schedule, Math.max(settledUntil, waited - 1))
}

const longestBackoffMs = 6 * 3_600_000

/** After the first failure a minute, then twice as long each time. */
export function backoffMs(failures: number): number {
  return Math.min(60_000 * 2 ** Math.min(failures - 1, 20), longestBackoffMs)
}

function startedState(schedule: Schedule, state: ScheduleState, now: number): ScheduleState {
  const last: LastRun = { startedAt: now, endedAt: null, status: 'running', exitStatus: null, run: null, error: null }
  return { ...state, settledUntil: settledAt(schedule, state, now), last }
}

/** Several missed times are one run: all up to now are settled. `every` keeps its rhythm. */
function settledAt({ every }: Schedule, { settledUntil }: ScheduleState, now: number): number {
  if (every === undefined || settledUntil > now) return now
  const ms = parseEvery(every)
  return settledUntil + Math.floor((now - settledUntil) / ms) * ms
}

export type EndedRun = Pick<LastRun, 'status' | 'exitStatus' | 'run' | 'error'>

/** Times that passed while it ran are skipped. A run that found the destination busy is no failure. */
export function endedState(schedule: Schedule, state: ScheduleState, ended: EndedRun, now: number): ScheduleState {
  const startedAt = state.last?.startedAt ?? now
  const failures = ended.status === 'failed' ? state.failures + 1 : ended.status === 'busy' ? state.failures : 0
  return {
    ...state,
    settledUntil: Math.max(state.settledUntil, settledAt(schedule, state, now)),
    failures,
    last: { startedAt, endedAt: now, ...ended },
  }
}
