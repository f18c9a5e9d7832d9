/** The time of the mirror: a fixed now, a start a few weeks earlier, and dates in the formats of manifests. */
import { formatDate, parseDate } from '../../engine/template/dates/airbyte-format.ts'
import { DateTime } from '../../engine/template/dates/date-time.ts'

const day = 86_400_000

/** Fixed, so that every read sends the same requests; not a whole second, which Python formats differently. */
export const now = Date.UTC(2026, 5, 15, 12, 0, 0, 123)
/** Seven weeks: several windows of a week, two of a month, and not many of a day. */
export const start = Date.UTC(2026, 3, 27)

export type TimeRange = { readonly from: number; readonly to: number }

export const wholeTime: TimeRange = { from: start, to: now }

export function dateText(at: number, format: string): string {
  return formatDate(DateTime.fromEpochMs(Math.round(at)), format)
}

/** Null where the text is not a date of this format within a few years of now. */
export function dateNearNow(text: string, format: string): number | null {
  try {
    const at = parseDate(text, format).epochSeconds * 1000
    return Math.abs(now - at) < 4000 * day ? at : null
  } catch {
    return null
  }
}

/** Formats of dates that configs hold, the most usual first. */
export const usualFormats = [
  '%Y-%m-%dT%H:%M:%SZ',
  '%Y-%m-%d',
  '%Y-%m-%dT%H:%M:%S.000Z',
  '%Y-%m-%dT%H:%M:%S',
  '%Y-%m-%d %H:%M:%S',
  '%Y-%m-%dT%H:%M:%S.%_msZ',
  '%Y-%m-%dT%H:%M:%S.%fZ',
  '%Y-%m-%dT%H:%M:%S%z',
  '%Y-%m-%dT%H:%M',
  '%Y%m%dT%H%M%SZ',
  '%Y%m%d',
  '%Y-%m',
  '%m/%d/%Y',
  '%d-%m-%Y',
  '%Y',
]

/** The format that writes a date as this example does. */
export function formatOf(example: string): string | null {
  return usualFormats.find((format) => dateLike(example, format)) ?? null
}

function dateLike(text: string, format: string): boolean {
  try {
    return formatDate(parseDate(text, format), format).length === text.length
  } catch {
    return false
  }
}

/** Waits take no time, and the clock does not show them. */
export function frozenClock() {
  return { now: () => now, sleep: async () => {} }
}

/** Waits take no time, but the clock shows them. */
export function movingClock() {
  let waited = 0
  return {
    now: () => now + waited,
    sleep: async (ms: number) => {
      waited += ms
    },
  }
}
