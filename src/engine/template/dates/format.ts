/** Date + strftime format → text, with the codes that Python and the GNU C library know. */
import { spend, spendText } from '../meter.ts'
import { CalendarDate } from './calendar-date.ts'
import { dayOfYear, isoWeekOf, weekdayOf } from './civil.ts'
import type { Clock, DateTime } from './date-time.ts'
import { offsetText } from './zone.ts'

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
export const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

const midnight: Clock = { hour: 0, minute: 0, second: 0, microsecond: 0 }

/** A code between `%` and its letter: GNU flags, a width, and the modifiers E and O. */
const codePattern = /%([_\-0^#]*)(\d*)([EO]?)([a-zA-Z%+])/g

/** `strftime(at, '%Y-%m-%d')` */
export function strftime(at: DateTime | CalendarDate, format: string): string {
  spendText(format.length)
  spend(format.length / 8)
  return format.replace(codePattern, (whole, flags: string, width: string, _modifier, letter: string) => {
    const field = fieldOf(at, letter)
    return field === null ? whole : fitted(field, flags, Math.min(Number(width || 0), 1000))
  })
}

type Field = { text: string; pad: number; fill: '0' | ' ' | '' }

function number(value: number, pad: number, fill: '0' | ' ' = '0'): Field {
  return { text: String(value), pad, fill }
}

function text(value: string): Field {
  return { text: value, pad: 0, fill: '' }
}

function fitted({ text: content, pad, fill }: Field, flags: string, width: number): string {
  let shown = content
  if (flags.includes('^')) shown = shown.toUpperCase()
  const filler = flags.includes('_') ? ' ' : flags.includes('0') ? '0' : fill || ' '
  if (flags.includes('-')) return shown
  return shown.padStart(Math.max(pad, width), filler)
}

function fieldOf(at: DateTime | CalendarDate, letter: string): Field | null {
  const { year, month, day } = at.civil
  const clock = at instanceof CalendarDate ? midnight : at.clock
  const composed = compositions[letter]
  if (composed !== undefined) return text(strftime(at, composed))
  switch (letter) {
    case 'Y':
      return number(year, 0)
    case 'y':
      return number(year % 100, 2)
    case 'C':
      return number(Math.floor(year / 100), 2)
    case 'm':
      return number(month, 2)
    case 'd':
      return number(day, 2)
    case 'e':
      return number(day, 2, ' ')
    case 'b':
    case 'h':
      return text((months[month - 1] ?? '').slice(0, 3))
    case 'B':
      return text(months[month - 1] ?? '')
    case 'j':
      return number(dayOfYear(at.days), 3)
    default:
      return clockField(clock, letter) ?? weekField(at.days, letter) ?? zoneField(at, letter)
  }
}

/** Codes that mean several others. */
const compositions: Record<string, string> = {
  c: '%a %b %e %H:%M:%S %Y',
  x: '%m/%d/%y',
  D: '%m/%d/%y',
  X: '%H:%M:%S',
  T: '%H:%M:%S',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  F: '%Y-%m-%d',
}

function clockField({ hour, minute, second, microsecond }: Clock, letter: string): Field | null {
  switch (letter) {
    case 'H':
      return number(hour, 2)
    case 'k':
      return number(hour, 2, ' ')
    case 'I':
      return number(hour % 12 || 12, 2)
    case 'l':
      return number(hour % 12 || 12, 2, ' ')
    case 'M':
      return number(minute, 2)
    case 'S':
      return number(second, 2)
    case 'f':
      return number(microsecond, 6)
    case 'p':
      return text(hour < 12 ? 'AM' : 'PM')
    case 'P':
      return text(hour < 12 ? 'am' : 'pm')
    default:
      return null
  }
}

function weekField(days: number, letter: string): Field | null {
  const weekday = weekdayOf(days)
  const yday = dayOfYear(days) - 1
  switch (letter) {
    case 'a':
      return text((weekdays[weekday] ?? '').slice(0, 3))
    case 'A':
      return text(weekdays[weekday] ?? '')
    case 'w':
      return number((weekday + 1) % 7, 1)
    case 'u':
      return number(weekday + 1, 1)
    case 'U':
      return number(Math.floor((yday + 7 - ((weekday + 1) % 7)) / 7), 2)
    case 'W':
      return number(Math.floor((yday + 7 - weekday) / 7), 2)
    case 'V':
      return number(isoWeekOf(days).week, 2)
    case 'G':
      return number(isoWeekOf(days).year, 0)
    case 'g':
      return number(isoWeekOf(days).year % 100, 2)
    default:
      return null
  }
}

function zoneField(at: DateTime | CalendarDate, letter: string): Field | null {
  const zone = at instanceof CalendarDate ? null : at.zone
  switch (letter) {
    case 'z':
      return text(zone === null ? '' : offsetText(zone.offsetSeconds, ''))
    case 'Z':
      return text(zone?.name ?? '')
    case 's': {
      // Python: the wall clock, read as the machine's own time; ours is UTC.
      const seconds = at instanceof CalendarDate ? 0 : Math.floor(at.micros / 1e6)
      return number(at.days * 86_400 + seconds, 0)
    }
    case 'n':
      return text('\n')
    case 't':
      return text('\t')
    case '%':
      return text('%')
    default:
      return null
  }
}
