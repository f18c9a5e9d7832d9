/** Dates in the formats manifests name: strftime codes, and Airbyte's own `%s`, `%s_as_float`, `%ms`, `%_ms`, `%epoch_microseconds`. */
import { failed } from '../trouble.ts'
import { formatFloat } from '../values/float-text.ts'
import { DateTime } from './date-time.ts'
import { strftime } from './format.ts'
import { strptime, strptimeOrNull } from './parse.ts'
import { timeDelta, TimeDelta } from './time-delta.ts'
import { utc } from './zone.ts'

const epoch = new DateTime(0, 0, utc)

type WrittenDate = string | number | bigint

/** `parseDate('1704067200', '%s')`. A text without a zone is taken for UTC. */
export function parseDate(date: WrittenDate, format: string): DateTime {
  const parsed = parseDateOrNull(date, format)
  if (parsed !== null) return parsed
  const shown = JSON.stringify(String(date).slice(0, 40))
  if (format === '%s_as_float') throw failed(`${shown} is not a number`)
  if (isCounted(format)) throw failed(`${shown} is not a whole number`)
  return strptime(String(date), strptimeFormat(format))
}

/** Null when the date is not in the format. */
export function parseDateOrNull(date: WrittenDate, format: string): DateTime | null {
  if (isCounted(format)) {
    const count = format === '%s_as_float' ? real(date) : whole(date)
    return count === null ? null : epoch.plus(counted[format](count))
  }
  const parsed = strptimeOrNull(String(date), strptimeFormat(format))
  return parsed?.zone === null ? parsed.withZone(utc) : parsed
}

/** Formats that count from 1970, and how much time so many are. */
const counted = {
  '%s': seconds,
  '%s_as_float': seconds,
  '%ms': (count: number) => millis(count, 1e3),
  '%epoch_microseconds': (count: number) => millis(count, 1e6),
}

function isCounted(format: string): format is keyof typeof counted {
  return Object.hasOwn(counted, format)
}

function strptimeFormat(format: string): string {
  return format.replaceAll('%_ms', '%f')
}

/** `formatDate(at, '%ms')` */
export function formatDate(at: DateTime, format: string): string {
  switch (format) {
    case '%s':
      return wholeText(at.epochSeconds)
    case '%s_as_float':
      return formatFloat(at.epochSeconds)
    case '%ms':
      return wholeText(at.epochSeconds * 1e3)
    case '%epoch_microseconds':
      return wholeText(at.epochSeconds * 1e6)
  }
  const ms = String(Math.floor(at.clock.microsecond / 1000)).padStart(3, '0')
  // Airbyte writes `%f` and shortens its six digits wherever they are: at midnight those of the time in `%H%M%S%_ms`, too.
  return strftime(at, format.replaceAll('%_ms', ms))
}

function wholeText(value: number): string {
  return BigInt(Math.trunc(value)).toString()
}

function whole(date: WrittenDate): number | null {
  if (typeof date !== 'string') return Math.trunc(Number(date))
  return /^\s*[+-]?\d+(?:_\d+)*\s*$/.test(date) ? Number(date.replaceAll('_', '')) : null
}

function real(date: WrittenDate): number | null {
  const value = typeof date === 'string' && date.trim() === '' ? Number.NaN : Number(date)
  return Number.isFinite(value) ? value : null
}

function seconds(count: number): TimeDelta {
  const days = Math.floor(count / 86_400)
  return timeDelta(days, count - days * 86_400)
}

function millis(count: number, perSecond: number): TimeDelta {
  const perDay = perSecond * 86_400
  const days = Math.floor(count / perDay)
  return new TimeDelta(days, (count - days * perDay) * (1e6 / perSecond))
}
