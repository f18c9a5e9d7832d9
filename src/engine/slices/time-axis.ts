/** Moments in time, in the formats a manifest names. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import { Float } from '../../std/json.ts'
import type { DatePlan, WindowPlan } from '../plan/cursor.ts'
import { durationOf } from '../plan/read-fields.ts'
import type { Config } from '../plan/plan.ts'
import { formatDate, parseDateOrNull } from '../template/dates/airbyte-format.ts'
import { DateTime } from '../template/dates/date-time.ts'
import { type Duration, addDuration, subtractDuration } from '../template/dates/duration.ts'
import { TimeDelta } from '../template/dates/time-delta.ts'
import { utc } from '../template/dates/zone.ts'
import { type Template, nowKey } from '../template/template.ts'
import { pythonText } from '../template/text.ts'
import type { Axis } from './axis.ts'
import { floor, isBefore, windowsBetween } from './windows.ts'
import type { Interval } from './intervals.ts'

type TimeTools = { readonly config: Config; readonly now: () => number }

export function timeAxis(plan: WindowPlan, tools: TimeTools): Axis<DateTime> {
  const { at, cursorField, startField, endField, format, clamping } = plan
  const fault = formatFault(format, plan.cursorFormats)
  if (fault !== null) throw new ConnectorError('manifest/invalid-value', fault, { at, hint: formatHint })
  const start = dateOf(plan, plan.start, tools)
  const end = endOf(plan, tools)
  const lookback = durationIn(plan.lookback, at)
  const granularity = durationIn(plan.granularity, at)
  const steps = { at, start, end, step: durationIn(plan.step, at), granularity, clamping }

  // Records may be written in several ways; what Turnleaf or Airbyte wrote is in the cursor's own.
  const ofRecord = (value: unknown) => dateIn(value, [...plan.cursorFormats, format])
  const ofState = (value: unknown) => dateIn(value, [format, ...plan.cursorFormats])
  const write = (value: DateTime) => writeDate(value, format)
  const beforeLookback = (value: DateTime) => withinCalendar(() => subtracted(value, lookback), start)

  function* boundsIn(read: readonly Interval<DateTime>[]) {
    const [first] = read
    if (first !== undefined) yield* windowsBetween(steps, start, first.start, false)
    for (const [index, { end: reached }] of read.entries()) {
      const next = read[index + 1]
      if (next === undefined) yield* windowsBetween(steps, beforeLookback(reached), end(), true)
      else yield* windowsBetween(steps, granularity ? addDuration(reached, granularity) : reached, next.start, false)
    }
  }

  return {
    cursorField,
    start,
    end,
    compare: (one, other) => one.since(other).compare(nothing),
    after: (value) => withinCalendar(() => addDuration(value, granularity ?? millisecond), value),
    ofRecord,
    ofState,
    write,
    beforeLookback,
    earlier: (value, seconds) => withinCalendar(() => value.minus(new TimeDelta(0, seconds * 1e6)), start),
    *windows(read) {
      for (const bounds of boundsIn(read)) yield { [startField]: write(bounds.start), [endField]: write(bounds.end) }
    },
    covered(window, _, newest) {
      const bounds = { start: ofState(window[startField]), end: ofState(window[endField]) }
      return bounds.start === null || bounds.end === null ? null : { start: bounds.start, end: bounds.end, newest }
    },
  }
}

function subtracted(value: DateTime, span: TimeDelta | Duration | null): DateTime {
  return span === null ? value : subtractDuration(value, span)
}

/** A date, or another one where it would be outside of the years 1 to 9999. */
function withinCalendar(find: () => DateTime, otherwise: DateTime): DateTime {
  try {
    return find()
  } catch {
    return otherwise
  }
}

const nothing = new TimeDelta(0, 0)
const millisecond = new TimeDelta(0, 1000)

/** Evaluated once per tick of the clock: every record of a client-side filter asks for it. */
function endOf(plan: WindowPlan, { config, now }: TimeTools): () => DateTime {
  let known: { readonly now: number; readonly end: DateTime } | null = null
  return () => {
    const at = now()
    if (known?.now === at) return known.end
    const end = plan.end === null ? DateTime.fromEpochMs(at) : dateOf(plan, plan.end, { config, now: () => at })
    known = { now: at, end: wholePeriods(plan, end) }
    return known.end
  }
}

/** Clamped windows leave out the day, week or month that is not over yet. */
function wholePeriods({ clamping, granularity, at }: WindowPlan, end: DateTime): DateTime {
  if (clamping === null) return end
  const least = clamping.target === 'day' ? 'PT1S' : 'P1D'
  return subtractDuration(floor(clamping, end), durationOf(granularity ?? least, at))
}

function dateOf({ at }: WindowPlan, date: DatePlan, { config, now }: TimeTools): DateTime {
  const scope = { config, parameters: date.parameters, [nowKey]: now }
  const evaluate = (template: DatePlan['value']) => pythonText(template.evaluate(scope))
  const bound = (template: DatePlan['min']) => {
    const text = template === null ? '' : evaluate(template)
    return template === null || text === '' ? null : required(text, template, date.format, at)
  }
  const value = required(evaluate(date.value), date.value, date.format, at)
  const min = bound(date.min)
  const raised = min !== null && isBefore(value, min) ? min : value
  const max = bound(date.max)
  return max !== null && isBefore(max, raised) ? max : raised
}

function required(text: string, { source }: Template, format: string, at: SourceLocation): DateTime {
  const date = dateIn(text, [format])
  if (date !== null) return date
  const given = text === '' ? 'nothing' : `\`${text.slice(0, 60)}\``
  const message =
    source === text
      ? `${given} is not a date in the format \`${format}\`.`
      : `\`${source}\` gives ${given}, not a date in the format \`${format}\`.`
  throw new ConnectorError('plan/invalid-date', message, { at })
}

/** Every part has two digits, so that formats without leading zeros are read as well. */
const anyDate = DateTime.fromEpochMs(Date.UTC(2024, 10, 22, 13, 14, 15, 160))

/** Why the state and windows that a format writes cannot be read again, in it or another of the cursor's; null where they can. */
export function formatFault(format: string, others: readonly string[]): string | null {
  const written = writeDate(anyDate, format)
  const known = dateIn(written, [format, ...others])
  if (known === null) return `\`datetime_format\` \`${format}\` writes \`${written}\`, which cannot be read again.`
  const isTold = parts.map(({ other }) => {
    const differing = dateIn(writeDate(other, format), [format, ...others])
    return differing === null || differing.since(known).compare(nothing) !== 0
  })
  const gap = isTold.indexOf(false)
  if (gap === -1 || !isTold.includes(true, gap)) return null
  return `\`datetime_format\` \`${format}\` leaves out ${parts[gap]?.name}: what it writes, such as \`${written}\`, is read again as another date.`
}

/** Largest first, each with a date that differs from `anyDate` in it alone. A format may end with any, and leave out none before. */
const parts = [
  { name: 'the year', other: dateAt(2023, 11, 22, 13, 14) },
  { name: 'the month', other: dateAt(2024, 10, 22, 13, 14) },
  { name: 'the day', other: dateAt(2024, 11, 21, 13, 14) },
  { name: '`%p`, which tells morning from afternoon', other: dateAt(2024, 11, 22, 1, 14) },
  { name: 'the hour', other: dateAt(2024, 11, 22, 12, 14) },
  { name: 'the minute', other: dateAt(2024, 11, 22, 13, 13) },
  { name: 'the second', other: DateTime.fromEpochMs(Date.UTC(2024, 10, 22, 13, 14, 14, 160)) },
]

function dateAt(year: number, month: number, day: number, hour: number, minute: number): DateTime {
  return DateTime.fromEpochMs(Date.UTC(year, month - 1, day, hour, minute, 15, 160))
}

export const formatHint =
  'Use the codes of dates that Python reads, such as `%Y-%m-%dT%H:%M:%S%z`; write a zone with a colon out: `+00:00`.'

/** The first format that fits; null when none does. */
export function dateIn(value: unknown, formats: readonly string[]): DateTime | null {
  if (value === undefined || value === null || value === '') return null
  const known = value instanceof Float ? value.value : value
  if (typeof known !== 'string' && typeof known !== 'number' && typeof known !== 'bigint') return null
  for (const format of formats) {
    try {
      const date = parseDateOrNull(known, format)
      if (date !== null) return date
    } catch {
      // A day that does not exist, or a format that cannot be read: the next one may fit.
    }
  }
  return null
}

/**
 * A moment as states and requests have it. A format without a zone cannot keep that of a record, and what it wrote is
 * read as UTC. APIs mean UTC or the clock of the record, so the earlier of both is written: the later one would skip
 * what lies between.
 */
export function writeDate(value: DateTime, format: string): string {
  const isAhead = value.zone !== null && value.zone.offsetSeconds > 0
  const written = isAhead && !/%:?z/i.test(format) ? withinCalendar(() => value.inZone(utc), value) : value
  return formatDate(written, withWholeYear(written.civil, format))
}

/** Python writes the year 1 as `1` and reads `0001` only. */
function withWholeYear({ year }: DateTime['civil'], format: string): string {
  if (year >= 1000) return format
  return format.replace(/%[%Y]/g, (code) => (code === '%Y' ? String(year).padStart(4, '0') : code))
}

function durationIn(text: string | null, at: SourceLocation): TimeDelta | Duration | null {
  return text === null ? null : durationOf(text, at)
}
