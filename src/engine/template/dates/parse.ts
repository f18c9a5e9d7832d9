/** Text + strptime format → DateTime, by Python's rules for each code. */
import { failed } from '../trouble.ts'
import { civilFromDays, daysFromCivil, isoYearStart, weekdayOf } from './civil.ts'
import { DateTime } from './date-time.ts'
import { months, weekdays } from './format.ts'
import { fixedZone, type Zone } from './zone.ts'
import { escapePattern } from '../../../std/text/escape-pattern.ts'

const names = (all: readonly string[]) => all.map((name) => name.toLowerCase()).join('|')
const short = (all: readonly string[]) => all.map((name) => name.slice(0, 3))

const codes: Record<string, string> = {
  d: '3[0-1]|[1-2]\\d|0[1-9]|[1-9]| [1-9]',
  f: '[0-9]{1,6}',
  H: '2[0-3]|[0-1]\\d|\\d',
  I: '1[0-2]|0[1-9]|[1-9]',
  G: '\\d\\d\\d\\d',
  j: '36[0-6]|3[0-5]\\d|[1-2]\\d\\d|0[1-9]\\d|00[1-9]|[1-9]\\d|0[1-9]|[1-9]',
  m: '1[0-2]|0[1-9]|[1-9]',
  M: '[0-5]\\d|\\d',
  S: '6[0-1]|[0-5]\\d|\\d',
  U: '5[0-3]|[0-4]\\d|\\d',
  W: '5[0-3]|[0-4]\\d|\\d',
  w: '[0-6]',
  u: '[1-7]',
  V: '5[0-3]|0[1-9]|[1-4]\\d|\\d',
  y: '\\d\\d',
  Y: '\\d\\d\\d\\d',
  z: '[+-]\\d\\d:?[0-5]\\d(?::?[0-5]\\d(?:\\.\\d{1,6})?)?|Z',
  A: names(weekdays),
  a: names(short(weekdays)),
  B: names(months),
  b: names(short(months)),
  p: 'am|pm',
  Z: 'utc|gmt',
}

const compositions: Record<string, string> = {
  c: '%a %b %d %H:%M:%S %Y',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
}

/** `strptime('2024-01-02', '%Y-%m-%d')`; the zone is null when the format has no `%z`. */
export function strptime(text: string, format: string): DateTime {
  const date = strptimeOrNull(text, format)
  if (date !== null) return date
  const shown = JSON.stringify(text.slice(0, 40))
  if (patternOf(format).test(text)) throw failed(`${shown} continues after the format ${JSON.stringify(format)}`)
  throw failed(`${shown} does not match the format ${JSON.stringify(format.slice(0, 60))}`)
}

/** Null when the text is not in the format: an error for each record would take longer than reading it. */
export function strptimeOrNull(text: string, format: string): DateTime | null {
  const match = patternOf(format).exec(text)
  return match === null || match[0].length < text.length ? null : assemble(match.groups ?? {})
}

/** Every record of a stream may hold a date in the same format. */
const patterns = new Map<string, RegExp>()

function patternOf(format: string): RegExp {
  const known = patterns.get(format)
  if (known !== undefined) return known
  const pattern = compilePattern(format)
  // Formats come from manifests, which name a few; templates could make any number of them.
  if (patterns.size < 200) patterns.set(format, pattern)
  return pattern
}

function compilePattern(format: string): RegExp {
  const expanded = format.replace(/%([cxX])/g, (_, code: string) => compositions[code] ?? '')
  const seen = new Set<string>()
  const source = escapePattern(expanded)
    .replace(/\s+/g, '\\s+')
    .replace(/%(%|[\s\S]?)/g, (_, code: string) => {
      if (code === '%') return '%'
      const pattern = codes[code]
      if (pattern === undefined) throw failed(`\`%${code}\` is not a code for reading dates`)
      if (seen.has(code)) throw failed(`the format names \`%${code}\` twice`)
      seen.add(code)
      return `(?<${code}>${pattern})`
    })
  return new RegExp(`^${source}`, 'i')
}

type Fields = Readonly<Record<string, string | undefined>>

function assemble(fields: Fields): DateTime {
  const civil = civilFromDays(dayOf(fields))
  const clock = {
    hour: hourOf(fields),
    minute: Number(fields['M'] ?? 0),
    second: Number(fields['S'] ?? 0),
    microsecond: Number((fields['f'] ?? '0').padEnd(6, '0')),
  }
  return DateTime.of(civil, clock, fields['z'] === undefined ? null : zoneOf(fields['z']))
}

function hourOf(fields: Fields): number {
  if (fields['I'] === undefined) return Number(fields['H'] ?? 0)
  const isAfternoon = fields['p']?.toLowerCase() === 'pm'
  return (Number(fields['I']) % 12) + (isAfternoon ? 12 : 0)
}

function zoneOf(text: string): Zone {
  if (text.toUpperCase() === 'Z') return fixedZone(0)
  const digits = text.slice(1).replaceAll(':', '')
  const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2, 4)) * 60 + Number(digits.slice(4, 6) || 0)
  return fixedZone(text.startsWith('-') ? -seconds : seconds)
}

function yearOf(fields: Fields): number | null {
  if (fields['Y'] !== undefined) return Number(fields['Y'])
  if (fields['y'] === undefined) return null
  const year = Number(fields['y'])
  return year <= 68 ? 2000 + year : 1900 + year
}

function weekdayField(fields: Fields): number | null {
  if (fields['A'] !== undefined) return weekdays.findIndex((name) => name.toLowerCase() === fields['A']?.toLowerCase())
  if (fields['a'] !== undefined) return short(weekdays).findIndex((n) => n.toLowerCase() === fields['a']?.toLowerCase())
  if (fields['w'] !== undefined) return (Number(fields['w']) + 6) % 7
  return fields['u'] === undefined ? null : Number(fields['u']) - 1
}

function monthOf(fields: Fields): number {
  if (fields['B'] !== undefined)
    return months.findIndex((name) => name.toLowerCase() === fields['B']?.toLowerCase()) + 1
  if (fields['b'] !== undefined)
    return short(months).findIndex((n) => n.toLowerCase() === fields['b']?.toLowerCase()) + 1
  return Number(fields['m'] ?? 1)
}

function dayOf(fields: Fields): number {
  const weekday = weekdayField(fields)
  if (fields['G'] !== undefined || fields['V'] !== undefined) return isoDay(fields, weekday)
  const year = yearOf(fields) ?? 1900
  if (fields['j'] !== undefined) return daysFromCivil(year, 1, 1) + Number(fields['j']) - 1
  const week = fields['U'] ?? fields['W']
  if (week !== undefined && weekday !== null && yearOf(fields) !== null) {
    return weekDay(year, Number(week), weekday, fields['W'] !== undefined)
  }
  return daysFromCivil(year, monthOf(fields), Number(fields['d'] ?? 1))
}

function isoDay(fields: Fields, weekday: number | null): number {
  if (fields['G'] === undefined || fields['V'] === undefined || weekday === null) {
    throw failed('`%G` and `%V` go together, with a day of the week')
  }
  return isoYearStart(Number(fields['G'])) + (Number(fields['V']) - 1) * 7 + weekday
}

function weekDay(year: number, week: number, weekday: number, startsMonday: boolean): number {
  const first = daysFromCivil(year, 1, 1)
  const firstWeekday = startsMonday ? weekdayOf(first) : (weekdayOf(first) + 1) % 7
  const day = startsMonday ? weekday : (weekday + 1) % 7
  const lead = (7 - firstWeekday) % 7
  return week === 0 ? first + day - firstWeekday : first + lead + 7 * (week - 1) + day
}
