/** A request → the window of time it asks for. */
import { type Asked, carriedIn } from './asked.ts'
import { dateIn, now, type Window } from './calendar.ts'
import type { Cursor } from './cursor.ts'

/** Null where the request names no date. With one date, the window reaches from there to now. */
export function windowIn(asked: Asked, { formats, carriers }: Pick<Cursor, 'formats' | 'carriers'>): Window | null {
  const carried = carriedIn(asked).filter(([name]) => carriers === 'any' || carriers.has(name.toLowerCase()))
  const dates = carried.flatMap(([, text]) => datesIn(text, formats))
  if (dates.length === 0) return null
  const from = Math.min(...dates)
  const to = Math.max(...dates)
  return { from, to: to > from ? to : Math.max(from, dates.length > 1 ? from : now) }
}

const isoDates = /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g
const epochs = /(?<![\d.])\d{10}(?:\d{3})?(?![\d.])/g
const year = 365 * 86_400_000

function datesIn(text: string, formats: readonly string[]): number[] {
  const whole = formats.flatMap((format) => dateIn(text, format) ?? [])
  if (whole.length > 0) return whole.slice(0, 1)
  const written = [...text.matchAll(isoDates)].map(([date]) => isoDate(date))
  const counted = [...text.matchAll(epochs)].map(([digits]) => Number(digits) * (digits.length === 10 ? 1000 : 1))
  return [...written, ...counted].filter((at) => Math.abs(now - at) < 10 * year)
}

function isoDate(text: string): number {
  const joined = text.replace(' ', 'T')
  return Date.parse(/T/.test(joined) && !/(?:Z|[+-]\d\d:?\d\d)$/.test(joined) ? `${joined}Z` : joined)
}
