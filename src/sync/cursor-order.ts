/** The formats of a cursor → whether a destination that stores its values as text can compare them. */
import { isCursorTime } from '../destinations/columns/cursor-text.ts'
import type { CursorPlan } from '../engine/plan/cursor.ts'

export function hasOrder(cursor: CursorPlan): boolean {
  if (cursor.kind === 'count') return true
  const formats = cursor.cursorFormats.length > 0 ? cursor.cursorFormats : [cursor.format]
  const [first = '', ...others] = formats
  return formats.every((format) => isCounted.test(format) || isIso(format)) || (others.length === 0 && isFalling(first))
}

const isCounted = /^%(?:s|s_as_float|ms|epoch_microseconds)$/

const parts = /%_ms|%./g

/** From the largest unit to the smallest, each of a fixed length: such texts sort as the times that they are. */
const samples: Readonly<Record<string, string>> = {
  '%Y': '2024',
  '%m': '01',
  '%d': '01',
  '%H': '10',
  '%M': '00',
  '%S': '00',
  '%_ms': '123',
  '%f': '123456',
}

/** Destinations know these by themselves, in any zone, with and without fractions. The sample alone does not show which of two numbers is the month. */
function isIso(format: string): boolean {
  const sample = format.replace(parts, (part) => (part === '%z' ? '+00:00' : (samples[part] ?? part)))
  return isCursorTime(sample) && isFalling(format.replace('%z', ''))
}

/** `%Y%m%d`, not `%d/%m/%Y`. */
function isFalling(format: string): boolean {
  const places = (format.match(parts) ?? []).map((part) => Object.keys(samples).indexOf(part))
  return places[0] === 0 && places.every((place, index) => index === 0 || place > (places[index - 1] ?? -1))
}
