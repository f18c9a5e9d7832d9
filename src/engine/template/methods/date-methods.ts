/** Attributes and methods of datetime, date, timedelta and Duration. */
import { float } from '../../../std/json.ts'
import { CalendarDate } from '../dates/calendar-date.ts'
import { dayOfYear, isoWeekOf, weekdayOf } from '../dates/civil.ts'
import { DateTime, isoFormat } from '../dates/date-time.ts'
import { Duration } from '../dates/duration.ts'
import { strftime } from '../dates/format.ts'
import { parseIsoDateTime } from '../dates/iso.ts'
import { strptime } from '../dates/parse.ts'
import { TimeDelta } from '../dates/time-delta.ts'
import { utc, Zone } from '../dates/zone.ts'
import { needs } from '../trouble.ts'
import { Tuple } from '../values/containers.ts'
import { asDouble, isNumber } from '../values/kind.ts'
import type { Value } from '../values/value.ts'
import { type MethodArguments, type Methods, methods } from './method.ts'

const ordinalOfEpoch = 719_163

const weekShape = { type: 'datetime.IsoCalendarDate', names: ['year', 'week', 'weekday'] }
const timeShape = {
  type: 'time.struct_time',
  names: 'year mon mday hour min sec wday yday isdst'.split(' ').map((part) => `tm_${part}`),
}

function timeTuple(at: DateTime | CalendarDate): Tuple {
  const { year, month, day } = at.civil
  const { hour, minute, second } = at instanceof DateTime ? at.clock : { hour: 0, minute: 0, second: 0 }
  const items = [
    year,
    month,
    day,
    hour,
    minute,
    second,
    weekdayOf(at.days),
    dayOfYear(at.days),
    at instanceof DateTime && at.zone?.text === '<UTC>' ? 0 : -1,
  ]
  return new Tuple(items, timeShape)
}

function replaced(at: DateTime | CalendarDate, args: MethodArguments) {
  const { civil } = at
  return {
    year: args.optionalWhole(0) ?? civil.year,
    month: args.optionalWhole(1) ?? civil.month,
    day: args.optionalWhole(2) ?? civil.day,
  }
}

const shared: Parameters<typeof methods<DateTime | CalendarDate>>[0] = {
  strftime: ['format', (self, args) => strftime(self, args.text(0))],
  weekday: ['', (self) => weekdayOf(self.days)],
  isoweekday: ['', (self) => weekdayOf(self.days) + 1],
  isocalendar: [
    '',
    (self) => {
      const { year, week, weekday } = isoWeekOf(self.days)
      return new Tuple([year, week, weekday], weekShape)
    },
  ],
  ctime: ['', (self) => strftime(self, '%a %b %e %H:%M:%S %Y')],
  toordinal: ['', (self) => self.days + ordinalOfEpoch],
  timetuple: ['', timeTuple],
}

export const dateMethods: Methods<CalendarDate> = new Map([
  ...methods<DateTime | CalendarDate>(shared),
  ...methods<CalendarDate>({
    isoformat: ['', (self) => self.toString()],
    replace: ['year? month? day?', (self, args) => CalendarDate.of(replaced(self, args))],
    today: ['', (_, __, run) => new CalendarDate(DateTime.fromEpochMs(run.now()).days)],
    fromisoformat: ['text', (_, args) => new CalendarDate(parseIsoDateTime(args.text(0)).days)],
  }),
])

export const dateTimeMethods: Methods<DateTime> = new Map([
  ...methods<DateTime | CalendarDate>(shared),
  ...methods<DateTime>({
    isoformat: [
      'sep? timespec?',
      (self, args) => isoFormat(self, args.optionalText(0) ?? 'T', args.optionalText(1) ?? 'auto'),
    ],
    date: ['', (self) => new CalendarDate(self.days)],
    timestamp: ['', (self) => float(self.epochSeconds)],
    utcoffset: ['', (self) => (self.zone === null ? null : new TimeDelta(0, self.zone.offsetSeconds * 1e6))],
    tzname: ['', (self) => self.zone?.name ?? null],
    dst: ['', (self) => (self.zone === null || self.zone.text !== '<UTC>' ? null : new TimeDelta(0, 0))],
    utctimetuple: ['', (self) => timeTuple(self.inZone(utc))],
    astimezone: ['tz?', (self, args) => self.inZone(zoneArgument(args, 0) ?? utc)],
    replace: [
      'year? month? day? hour? minute? second? microsecond? tzinfo? fold?',
      (self, args) => {
        const { clock } = self
        const time = {
          hour: args.optionalWhole(3) ?? clock.hour,
          minute: args.optionalWhole(4) ?? clock.minute,
          second: args.optionalWhole(5) ?? clock.second,
          microsecond: args.optionalWhole(6) ?? clock.microsecond,
        }
        const zone = args.optional(7) === undefined ? self.zone : zoneArgument(args, 7)
        return DateTime.of(replaced(self, args), time, zone)
      },
    ],
    now: ['tz?', (_, args, run) => DateTime.fromEpochMs(run.now()).withZone(zoneArgument(args, 0))],
    utcnow: ['', (_, __, run) => DateTime.fromEpochMs(run.now()).withZone(null)],
    today: ['', (_, __, run) => DateTime.fromEpochMs(run.now()).withZone(null)],
    fromtimestamp: ['seconds tz?', (_, args) => fromSeconds(args.value(0)).withZone(zoneArgument(args, 1))],
    utcfromtimestamp: ['seconds', (_, args) => fromSeconds(args.value(0)).withZone(null)],
    strptime: ['text format', (_, args) => strptime(args.text(0), args.text(1))],
    fromisoformat: ['text', (_, args) => parseIsoDateTime(args.text(0))],
  }),
])

function zoneArgument(args: MethodArguments, index: number): Zone | null {
  const zone = args.optional(index) ?? null
  if (zone === null || zone instanceof Zone) return zone
  throw needs(`\`${args.what}\``, 'a time zone', zone)
}

function fromSeconds(value: Value): DateTime {
  if (!isNumber(value)) throw needs('`fromtimestamp`', 'a number', value)
  return DateTime.fromEpochMs(asDouble(value) * 1000)
}

export const spanMethods = methods<TimeDelta | Duration>({
  total_seconds: ['', (self) => float((self instanceof Duration ? self.span : self).totalSeconds)],
})

export function dateAttribute(value: Value, name: string): Value | undefined {
  if (value instanceof DateTime || value instanceof CalendarDate) return calendarAttribute(value, name)
  if (value instanceof TimeDelta) return spanAttribute(value, name)
  if (!(value instanceof Duration)) return undefined
  if (name === 'years' || name === 'months') return value[name]
  return name === 'tdelta' ? value.span : spanAttribute(value.span, name)
}

function spanAttribute(span: TimeDelta, name: string): Value | undefined {
  switch (name) {
    case 'days':
    case 'seconds':
    case 'microseconds':
      return span[name]
    case 'min':
      return new TimeDelta(-999_999_999, 0)
    case 'max':
      return new TimeDelta(999_999_999, 86_399_999_999)
    case 'resolution':
      return new TimeDelta(0, 1)
    default:
      return undefined
  }
}

function calendarAttribute(at: DateTime | CalendarDate, name: string): Value | undefined {
  switch (name) {
    case 'year':
    case 'month':
    case 'day':
      return at.civil[name]
    case 'min':
      return at instanceof DateTime ? new DateTime(-719_162, 0, null) : new CalendarDate(-719_162)
    case 'max':
      return at instanceof DateTime ? new DateTime(2_932_896, 86_399_999_999, null) : new CalendarDate(2_932_896)
    case 'resolution':
      return at instanceof DateTime ? new TimeDelta(0, 1) : new TimeDelta(1, 0)
  }
  if (at instanceof CalendarDate) return undefined
  switch (name) {
    case 'hour':
    case 'minute':
    case 'second':
    case 'microsecond':
      return at.clock[name]
    case 'tzinfo':
      return at.zone
    case 'fold':
      return 0
    default:
      return undefined
  }
}
