/** The functions of templates that make and print dates: now_utc, format_datetime, duration and their kin. */
import { float, integer } from '../../std/json.ts'
import { formatDate, parseDate } from './dates/airbyte-format.ts'
import { CalendarDate } from './dates/calendar-date.ts'
import { DateTime } from './dates/date-time.ts'
import { parseDuration } from './dates/duration.ts'
import { strftime } from './dates/format.ts'
import { parseIsoDateTime } from './dates/iso.ts'
import { strptime } from './dates/parse.ts'
import { timeDelta } from './dates/time-delta.ts'
import { civilInZone, pytzUtc } from './dates/zone.ts'
import { failed, needs } from './trouble.ts'
import { type Bound, callable } from './values/callable.ts'
import { str } from './values/python-text.ts'
import { usedUndefined } from './values/undefined.ts'
import { asDouble, isInt, isNumber } from './values/kind.ts'
import type { Value } from './values/value.ts'

export function textArgument(what: string, value: Value | undefined): string {
  if (typeof value === 'string') return value
  throw needs(`\`${what}\``, 'a str', value ?? null)
}

export const dateFunctions = [
  callable('now_utc', '', (_, run) => DateTime.fromEpochMs(run.now())),
  callable('today_utc', '', (_, run) => new CalendarDate(DateTime.fromEpochMs(run.now()).days)),
  callable('today_with_timezone', 'timezone', ([zone], run) => {
    if (zone === null) throw failed('there is no time zone None')
    return CalendarDate.of(civilInZone(run.now(), str(zone as Value)))
  }),
  callable('timestamp', 'dt', ([dt]) => timestamp(dt as Value)),
  callable('str_to_datetime', 's', ([text]) => strToDateTime(text as Value)),
  callable('day_delta', 'num_days format?', ([days, format], run) => {
    if (!isNumber(days)) throw needs('`day_delta`', 'a number', days)
    const at = DateTime.fromEpochMs(run.now()).plus(timeDelta(asDouble(days), 0))
    return strftime(at, textArgument('day_delta', format ?? '%Y-%m-%dT%H:%M:%S.%f%z'))
  }),
  callable('duration', 'datestring', ([text]) => {
    if (typeof text !== 'string') throw needs('`duration`', 'a str', text)
    return parseDuration(text)
  }),
  callable('format_datetime', 'dt format input_format?', formatDateTime),
]

function timestamp(dt: Value): Value {
  if (isInt(dt)) return integer(BigInt(dt))
  if (!isNumber(dt)) return float(strToDateTime(dt).epochSeconds)
  if (!Number.isFinite(asDouble(dt))) throw failed('infinity and nan are not timestamps')
  return integer(BigInt(Math.trunc(asDouble(dt))))
}

/** UTC is assumed where the text names no zone. */
function strToDateTime(text: Value): DateTime {
  usedUndefined(text)
  const at = parseIsoDateTime(textArgument('str_to_datetime', text))
  return at.zone === null ? at.withZone(pytzUtc) : at.inZone(pytzUtc)
}

function formatDateTime([dt, format, inputFormat]: Bound): Value {
  if (dt instanceof DateTime) return strftime(dt, textArgument('format_datetime', format))
  const at = dateFrom(dt as Value, inputFormat ?? null)
  return formatDate(at.zone === null ? at.withZone(pytzUtc) : at, textArgument('format_datetime', format))
}

function dateFrom(dt: Value, inputFormat: Value): DateTime {
  const hasFormat = inputFormat !== null && inputFormat !== ''
  if (isInt(dt)) return parseDate(Number(dt), hasFormat ? textArgument('format_datetime', inputFormat) : '%s')
  if (!hasFormat) return strToDateTime(dt)
  if (typeof dt !== 'string') throw needs('`format_datetime`', 'a str', dt)
  return strptime(dt, textArgument('format_datetime', inputFormat))
}
