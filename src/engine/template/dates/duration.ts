/** ISO 8601 durations: text → TimeDelta, or Duration when it has months or years. */
import { failed } from '../trouble.ts'
import { kind } from '../values/kind.ts'
import { CalendarDate } from './calendar-date.ts'
import { daysInMonth } from './civil.ts'
import { DateTime } from './date-time.ts'
import { parseIsoDateTime } from './iso.ts'
import { TimeDelta, timeDelta } from './time-delta.ts'

/** Months have no fixed length, so a Duration only becomes a span once a date is known. */
export class Duration {
  readonly years: number
  readonly months: number
  readonly span: TimeDelta
  constructor(years: number, months: number, span: TimeDelta) {
    this.years = years
    this.months = months
    this.span = span
  }
  get [kind]() {
    return 'duration' as const
  }
  negated(): Duration {
    return new Duration(-this.years, -this.months, this.span.negated())
  }
  plus(other: Duration | TimeDelta): Duration {
    if (other instanceof TimeDelta) return new Duration(this.years, this.months, this.span.plus(other))
    return new Duration(this.years + other.years, this.months + other.months, this.span.plus(other.span))
  }
  toString(): string {
    const years = this.years === 0 ? '' : `${Math.trunc(this.years)} years, `
    const months = this.months === 0 ? '' : `${Math.trunc(this.months)} month${this.months <= 1 ? '' : 's'}, `
    return `${years}${months}${this.span.toString()}`
  }
}

const number = '[0-9]+(?:[,.][0-9]+)?'
const pattern = new RegExp(
  `^([+-])?P(?=[A-Za-z0-9_])(?:(${number})Y)?(?:(${number})M)?(?:(${number})W)?(?:(${number})D)?` +
    `(?:T(?:(${number})H)?(?:(${number})M)?(?:(${number})S)?)?\\n?$`,
)

/** `parseDuration('P1M')`: a Duration; `parseDuration('PT36H')`: a TimeDelta. */
export function parseDuration(text: string): TimeDelta | Duration {
  const match = pattern.exec(text)
  if (match === null) return parseDateLike(text)
  const [years, months, weeks, days, hours, minutes, seconds] = match
    .slice(2)
    .map((part) => Number((part ?? '0').replace(',', '.'))) as [number, number, number, number, number, number, number]
  const span = timeDelta(days + weeks * 7, seconds + minutes * 60 + hours * 3600)
  const isNegative = match[1] === '-'
  if (years === 0 && months === 0) return isNegative ? span.negated() : span
  const duration = new Duration(years, months, span)
  return isNegative ? duration.negated() : duration
}

/** The rarely used form `P0001-02-03T04:05:06`. */
function parseDateLike(text: string): Duration {
  const bad = failed(`${JSON.stringify(text.slice(0, 40))} is not an ISO 8601 duration such as P1D or PT1H`)
  if (!/^P.+T/.test(text)) throw bad
  const { civil, clock } = parseIsoDateTime(text.slice(1))
  const seconds = (clock.hour * 60 + clock.minute) * 60 + clock.second
  return new Duration(civil.year, civil.month, new TimeDelta(civil.day, seconds * 1e6 + clock.microsecond))
}

/** A date plus a duration; the day is cut to the length of the month it lands in. */
export function addDuration<T extends DateTime | CalendarDate>(at: T, duration: TimeDelta | Duration): T {
  if (duration instanceof TimeDelta) return shifted(at, duration, 1)
  return shifted(addMonths(at, duration.years, duration.months), duration.span, 1)
}

export function subtractDuration<T extends DateTime | CalendarDate>(at: T, duration: TimeDelta | Duration): T {
  if (duration instanceof TimeDelta) return shifted(at, duration, -1)
  return shifted(addMonths(at, -duration.years, -duration.months), duration.span, -1)
}

function shifted<T extends DateTime | CalendarDate>(at: T, span: TimeDelta, sign: 1 | -1): T {
  if (at instanceof DateTime) return (sign === 1 ? at.plus(span) : at.minus(span)) as T
  // Python: a date takes the whole days of a span and ignores its hours.
  return new CalendarDate(at.days + sign * span.days) as T
}

function addMonths<T extends DateTime | CalendarDate>(at: T, years: number, months: number): T {
  if (!Number.isInteger(years) || !Number.isInteger(months)) {
    throw failed('fractions of months and years cannot be added to a date')
  }
  const { year, month, day } = at.civil
  const total = month - 1 + months
  const newYear = year + years + Math.floor(total / 12)
  const newMonth = (((total % 12) + 12) % 12) + 1
  const civil = { year: newYear, month: newMonth, day: Math.min(day, daysInMonth(newYear, newMonth)) }
  return (at instanceof DateTime ? DateTime.of(civil, at.clock, at.zone) : CalendarDate.of(civil)) as T
}
