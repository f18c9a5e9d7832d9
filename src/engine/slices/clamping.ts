/** Windows that begin and end with whole days, weeks or months. */
import type { ClampingPlan } from '../plan/cursor.ts'
import { daysFromCivil, weekdayOf } from '../template/dates/civil.ts'
import { DateTime } from '../template/dates/date-time.ts'

/** The first whole day, week or month from here on. */
export function ceiling(clamping: ClampingPlan | null, at: DateTime): DateTime {
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
