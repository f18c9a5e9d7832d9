/** A time zone → the wall times that its clock skips when it is set forward, and those that it repeats when it is set back. */

export type ClockGap = {
  /** When the clock is set forward, in ms since 1970. */
  readonly at: number
  /** The wall times that do not occur, as ms since 1970 of a clock in UTC; the second one does occur. */
  readonly from: number
  readonly until: number
}

const dayMs = 86_400_000

/** Those after the first time and before the second one, in their order. */
export function* clockGaps(timezone: string, after: number, before: number): Generator<ClockGap> {
  const offset = offsetIn(timezone)
  let known = offset(after)
  for (let day = after; day < before; day += dayMs) {
    const end = Math.min(day + dayMs, before)
    const now = offset(end)
    if (now > known) {
      const at = changeBetween(offset, day, end)
      yield { at, from: at + known, until: at + now }
    }
    known = now
  }
}

/** Where the clock was set back, and shows this wall time for the second time: when it begins to show new ones; null otherwise. */
export function endOfRepeat(timezone: string, time: number): number | null {
  const offset = offsetIn(timezone)
  const before = time - dayMs
  const back = offset(before) - offset(time)
  if (back <= 0) return null
  const end = changeBetween(offset, before, time) + back
  return time < end ? end : null
}

/** The first ms with the offset of the end. */
function changeBetween(offset: (time: number) => number, start: number, end: number): number {
  let [low, high] = [start, end]
  const after = offset(end)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offset(middle) === after) high = middle
    else low = middle
  }
  return high
}

/** Opening one is slow. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** Ms to add to a time for the wall time. */
function offsetIn(timezone: string): (time: number) => number {
  const format =
    formats.get(timezone) ?? new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' })
  formats.set(timezone, format)
  return (time) => {
    const [, sign = '+', hours = 0, minutes = 0] = /GMT([+-])(\d+):(\d+)/.exec(format.format(time)) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  }
}
