/** Days since 1970-01-01 ↔ year, month, day in the Gregorian calendar that Python's dates use. */
import { failed } from '../trouble.ts'

export type Civil = { readonly year: number; readonly month: number; readonly day: number }

const msPerDay = 86_400_000

/** Day counts of 0001-01-01 and 9999-12-31, the ends of Python's calendar. */
const firstDay = -719_162
const lastDay = 2_932_896

export function daysFromCivil(year: number, month: number, day: number): number {
  if (!(year >= 1 && year <= 9999)) throw failed(`year ${year} is out of range`)
  if (!(month >= 1 && month <= 12)) throw failed(`month ${month} is not in 1..12`)
  if (!(day >= 1 && day <= daysInMonth(year, month))) throw failed(`day ${day} is out of range for ${year}-${month}`)
  const date = new Date(0)
  // Date.UTC takes years below 100 for the 1900s; setUTCFullYear does not.
  date.setUTCFullYear(year, month - 1, day)
  return Math.floor(date.getTime() / msPerDay)
}

export function civilFromDays(days: number): Civil {
  const date = new Date(days * msPerDay)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

export function checkedDays(days: number): number {
  if (!(days >= firstDay && days <= lastDay)) throw failed('the date is outside of the years 1 to 9999')
  return days
}

export function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Monday is 0. */
export function weekdayOf(days: number): number {
  return (((days + 3) % 7) + 7) % 7
}

/** January 1st is 1. */
export function dayOfYear(days: number): number {
  return days - daysFromCivil(civilFromDays(days).year, 1, 1) + 1
}

export type IsoWeek = { readonly year: number; readonly week: number; readonly weekday: number }

export function isoWeekOf(days: number): IsoWeek {
  const weekday = weekdayOf(days)
  // The week belongs to the year its Thursday is in.
  const thursday = days - weekday + 3
  const year = new Date(thursday * msPerDay).getUTCFullYear()
  const start = new Date(0)
  start.setUTCFullYear(year, 0, 1)
  return { year, week: Math.floor((thursday - start.getTime() / msPerDay) / 7) + 1, weekday: weekday + 1 }
}

/** The Monday on which ISO year `year` begins. */
export function isoYearStart(year: number): number {
  const fourth = daysFromCivil(year, 1, 4)
  return fourth - weekdayOf(fourth)
}
