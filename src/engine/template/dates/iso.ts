/** ISO 8601 text → DateTime, as strict as dateutil's isoparse. */
import { failed } from '../trouble.ts'
import { type Civil, checkedDays, civilFromDays, daysFromCivil, isLeap, isoYearStart } from './civil.ts'
import { DateTime } from './date-time.ts'
import { fixedZone, type Zone } from './zone.ts'

/** `parseIsoDateTime('2024-01-02T03:04:05Z')`. Any single character may be between date and time. */
export function parseIsoDateTime(text: string): DateTime {
  const bad = failed(`${JSON.stringify(text.slice(0, 40))} is not an ISO 8601 date`)
  const found = calendarDate(text) ?? otherDate(text)
  if (found === null) throw bad
  const { days, length } = found
  if (text.length === length) return new DateTime(days, 0, null)
  const time = timeOfDay(text.slice(length + 1))
  if (time === null) throw bad
  const { hour, minute, second, microsecond, zone } = time
  const isMidnight = hour === 24 && minute === 0 && second === 0 && microsecond === 0
  const day = isMidnight ? checkedDays(days + 1) : days
  return DateTime.of(civilFromDays(day), { hour: isMidnight ? 0 : hour, minute, second, microsecond }, zone)
}

type FoundDate = { days: number; length: number }

function calendarDate(text: string): FoundDate | null {
  const match = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?(?!\d)|(\d\d)(\d\d)(?!\d{3}))?/.exec(text)
  if (match === null) return null
  const [whole, year, month, day, basicMonth, basicDay] = match
  if (month === undefined && basicMonth === undefined) return text.length === 4 ? datePart(Number(year), 1, 1, 4) : null
  // Python: `2024-01` is a date only when nothing follows.
  if (month !== undefined && day === undefined && text.length > whole.length) return null
  return datePart(Number(year), Number(month ?? basicMonth), Number(day ?? basicDay ?? 1), whole.length)
}

function datePart(year: number, month: number, day: number, length: number): FoundDate {
  return { days: daysFromCivil(year, month, day), length }
}

/** Weeks (`2024-W05-3`) and days of the year (`2024-065`). */
function otherDate(text: string): FoundDate | null {
  const week = /^(\d{4})(-?)W(\d\d)(?:\2(\d))?/.exec(text)
  if (week !== null) {
    const [whole, year, , number, day] = week
    const weekday = Number(day ?? 1)
    if (Number(number) < 1 || Number(number) > 53 || weekday < 1 || weekday > 7) return null
    return { days: isoYearStart(Number(year)) + (Number(number) - 1) * 7 + weekday - 1, length: whole.length }
  }
  const ordinal = /^(\d{4})-?(\d{3})/.exec(text)
  if (ordinal === null) return null
  const [whole, year, day] = ordinal
  if (Number(day) < 1 || Number(day) > (isLeap(Number(year)) ? 366 : 365)) return null
  return { days: daysFromCivil(Number(year), 1, 1) + Number(day) - 1, length: whole.length }
}

type FoundTime = { hour: number; minute: number; second: number; microsecond: number; zone: Zone | null }

const timePattern = /^(\d\d)(?:(:?)(\d\d)(?:\2(\d\d)(?:[.,](\d+))?)?)?(?:([Zz])|([+-])(\d\d)(?::?(\d\d))?)?$/

function timeOfDay(text: string): FoundTime | null {
  const match = timePattern.exec(text)
  if (match === null) return null
  const [, hour, , minute, second, fraction, isUtc, sign, zoneHour, zoneMinute] = match
  const zone = isUtc !== undefined ? fixedZone(0) : sign === undefined ? null : offsetZone(sign, zoneHour, zoneMinute)
  return {
    hour: Number(hour),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
    // Digits beyond the microsecond are cut, not rounded.
    microsecond: Number((fraction ?? '0').slice(0, 6).padEnd(6, '0')),
    zone,
  }
}

function offsetZone(sign: string, hour: string | undefined, minute: string | undefined): Zone {
  if (Number(minute ?? 0) > 59 || Number(hour) > 23) throw failed('the offset from UTC is out of range')
  return fixedZone((sign === '-' ? -1 : 1) * (Number(hour) * 3600 + Number(minute ?? 0) * 60))
}

export type { Civil }
