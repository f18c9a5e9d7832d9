/** Between two moments → windows of time, a step long each. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import type { ClampingPlan } from '../plan/cursor.ts'
import { DateTime } from '../template/dates/date-time.ts'
import { type Duration, addDuration, subtractDuration } from '../template/dates/duration.ts'
import type { TimeDelta } from '../template/dates/time-delta.ts'
import { daysFromCivil, weekdayOf } from '../template/dates/civil.ts'

type Steps = {
  readonly at: SourceLocation
  /** No window begins before. */
  readonly start: DateTime
  /** Where the whole read ends. */
  readonly end: () => DateTime
  /** Null: one window, however long, up to the end of the read. */
  readonly step: TimeDelta | Duration | null
  readonly granularity: TimeDelta | Duration | null
  readonly clamping: ClampingPlan | null
}

type Bounds = { readonly start: DateTime; readonly end: DateTime }

/**
 * Each window ends one granularity before the next begins, so that no record falls into two. So does the last one,
 * unless it ends where the read does (`isEnd`).
 */
export function* windowsBetween(steps: Steps, from: DateTime, upper: DateTime, isEnd: boolean): Generator<Bounds> {
  if (!isBefore(from, upper) || isBefore(upper, steps.start)) return
  let lower = isBefore(from, steps.start) ? steps.start : from
  const { clamping } = steps
  if (!isBefore(stepFrom(steps, lower, upper), upper)) {
    const end = ceiling(clamping, upper)
    const first = ceiling(clamping, lower)
    yield { start: first, end: isEnd ? end : endBefore(steps, first, end) }
    return
  }
  for (let isLast = false; !isLast; ) {
    const next = stepFrom(steps, lower, upper)
    isLast = !isBefore(next, upper)
    const start = ceiling(clamping, lower)
    const end = isLast ? next : ceiling(clamping, next)
    if (!isBefore(start, end)) {
      // Clamping, or the end of the read, may leave nothing of the last window. A step that leads nowhere would leave
      // out everything.
      if (clamping !== null || steps.step === null) return
      throw new ConnectorError('plan/invalid-duration', 'The `step` of the cursor must be longer than zero.', {
        at: steps.at,
      })
    }
    yield { start, end: isLast && isEnd ? end : endBefore(steps, start, end) }
    lower = end
  }
}

function stepFrom(steps: Steps, lower: DateTime, upper: DateTime): DateTime {
  const next = unboundedStep(steps, lower)
  return isBefore(upper, next) ? upper : next
}

function unboundedStep({ step, end }: Steps, lower: DateTime): DateTime {
  try {
    return step === null ? end() : addDuration(lower, step)
  } catch {
    // Beyond the year 9999.
    return end()
  }
}

/** A window that is shorter than the granularity overlaps the next one: ending before it begins, it would bring nothing. */
function endBefore({ granularity }: Steps, start: DateTime, next: DateTime): DateTime {
  const end = granularity === null ? next : subtractDuration(next, granularity)
  return isBefore(start, next) && isBefore(end, start) ? next : end
}

export function isBefore(one: DateTime, other: DateTime): boolean {
  return one.since(other).days < 0
}

/** The first whole day, week or month from here on. */
function ceiling(clamping: ClampingPlan | null, at: DateTime): DateTime {
  switch (clamping?.target) {
    case undefined:
      return at
    case 'day':
      // Airbyte moves midnight on as well and so leaves out every other day; see docs/compatibility.md.
      return midnight(at, at.micros === 0 ? at.days : at.days + 1)
    case 'week':
      return midnight(at, at.days + daysUntil(clamping.weekday, at))
    case 'month':
      // Airbyte: a month's first day belongs to it, whatever the hour.
      return at.civil.day === 1 ? midnight(at, at.days) : midnight(at, firstOfNextMonth(at))
  }
}

/** The last whole day, week or month up to here; Airbyte's weeks always end before the week that `at` is in. */
export function floor(clamping: ClampingPlan | null, at: DateTime): DateTime {
  switch (clamping?.target) {
    case undefined:
      return at
    case 'day':
      return midnight(at, at.days)
    case 'week':
      return midnight(at, at.days + daysUntil(clamping.weekday, at) - 7)
    case 'month':
      return midnight(at, daysFromCivil(at.civil.year, at.civil.month, 1))
  }
}

/** On the wall calendar of its own zone. */
function midnight({ zone }: DateTime, days: number): DateTime {
  return new DateTime(days, 0, zone)
}

function daysUntil(weekday: number, { days }: DateTime): number {
  return (weekday - weekdayOf(days) + 7) % 7
}

function firstOfNextMonth({ civil: { year, month } }: DateTime): number {
  return month === 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, month + 1, 1)
}
