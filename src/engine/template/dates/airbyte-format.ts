/** Dates in the formats manifests name: strftime codes, and Airbyte's own `%s`, `%s_as_float`, `%ms`, `%_ms`, `%epoch_microseconds`. */
import { failed } from '../trouble.ts'
import { formatFloat } from '../values/float-text.ts'
import { DateTime } from './date-time.ts'
import { strftime } from './format.ts'
import { strptime } from './parse.ts'
import { timeDelta, TimeDelta } from './time-delta.ts'
import { utc } from './zone.ts'

const epoch = new DateTime(0, 0, utc)

/** `parseDate('1704067200', '%s')`. A text without a zone is taken for UTC. */
export function parseDate(date: string | number | bigint, format: string): DateTime {
  switch (format) {
    case '%s':
      return epoch.plus(new TimeDelta(0, 0)).plus(seconds(whole(date)))
    case '%s_as_float':
      return epoch.plus(seconds(real(date)))
    case '%ms':
      return epoch.plus(millis(whole(date), 1e3))
    case '%epoch_microseconds':
      return epoch.plus(millis(whole(date), 1e6))
  }
  const parsed = strptime(String(date), format.replaceAll('%_ms', '%f'))
  return parsed.zone === null ? parsed.withZone(utc) : parsed
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
  if (!format.includes('%_ms')) return strftime(at, format)
  const { microsecond } = at.clock
  const text = strftime(at, format.replaceAll('%_ms', '%f'))
  // Airbyte: every occurrence of the six digits is shortened, wherever it is.
  return text.replaceAll(strftime(at, '%f'), String(Math.floor(microsecond / 1000)).padStart(3, '0'))
}

function wholeText(value: number): string {
  return BigInt(Math.trunc(value)).toString()
}

function whole(date: string | number | bigint): number {
  if (typeof date !== 'string') return Math.trunc(Number(date))
  if (!/^\s*[+-]?\d+(?:_\d+)*\s*$/.test(date))
    throw failed(`${JSON.stringify(date.slice(0, 40))} is not a whole number`)
  return Number(date.replaceAll('_', ''))
}

function real(date: string | number | bigint): number {
  const value = typeof date === 'string' && date.trim() === '' ? Number.NaN : Number(date)
  if (!Number.isFinite(value)) throw failed(`${JSON.stringify(String(date).slice(0, 40))} is not a number`)
  return value
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
