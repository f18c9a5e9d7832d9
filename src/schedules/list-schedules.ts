/** Every schedule with its next time and its last run, as people and programs see it. */
import { type Schedule, shownWebhook } from '../connections/schedule.ts'
import { currentState, nextStart, type ScheduledStatus, type StoredSchedule } from './decide.ts'
import type { ScheduleStore } from './store.ts'

/** Plain JSON, without secrets. */
export type ListedSchedule = {
  readonly connection: string
  readonly every: string | null
  readonly cron: string | null
  readonly timezone: string | null
  /** Only a reference or the host is shown: the whole address may be a secret. */
  readonly webhook: string | null
  readonly isPaused: boolean
  /** Null while it is paused. In the past: it is due. */
  readonly nextAt: string | null
  /** Failed runs in a row: the next run waits longer for them. */
  readonly failures: number
  readonly last: ListedRun | null
  /** Why the file of the connection cannot be read; null otherwise. */
  readonly problem: { readonly code: string; readonly message: string; readonly hint: string } | null
}

export type ListedRun = {
  readonly startedAt: string
  readonly endedAt: string | null
  readonly status: ScheduledStatus
  readonly exitStatus: number | null
  readonly run: string | null
  readonly error: { readonly code: string; readonly message: string; readonly hint: string } | null
}

export async function listSchedules(store: ScheduleStore, now: number): Promise<ListedSchedule[]> {
  const { schedules, problems } = await store.load()
  const broken = problems.map(({ name, error: { code, message, hint } }) => ({
    ...listed(name, null),
    problem: { code, message, hint },
  }))
  return [...schedules.map((one) => listedSchedule(one, now)), ...broken].toSorted((one, other) =>
    one.connection < other.connection ? -1 : 1,
  )
}

export function listedSchedule({ name, schedule, state: stored }: StoredSchedule, now: number): ListedSchedule {
  const state = currentState(schedule, stored, now)
  const next = nextStart(schedule, state, now)
  const { last } = state
  return {
    ...listed(name, schedule),
    isPaused: schedule.paused === true,
    nextAt: next === null || !Number.isFinite(next) ? null : timeText(next),
    failures: state.failures,
    last:
      last === null
        ? null
        : {
            ...last,
            startedAt: timeText(last.startedAt),
            endedAt: last.endedAt === null ? null : timeText(last.endedAt),
          },
  }
}

function listed(connection: string, schedule: Schedule | null): ListedSchedule {
  const { every = null, cron = null, timezone = null, webhook = null } = schedule ?? {}
  return {
    connection,
    every,
    cron,
    timezone: cron === null ? null : (timezone ?? 'UTC'),
    webhook: webhook === null ? null : shownWebhook(webhook),
    isPaused: false,
    nextAt: null,
    failures: 0,
    last: null,
    problem: null,
  }
}

export function timeText(ms: number): string {
  return new Date(ms).toISOString()
}
