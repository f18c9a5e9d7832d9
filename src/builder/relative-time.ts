/** Moments as people say them. */

const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** `3 minutes ago`, `yesterday`, `just now`. */
export function ago(moment: string | number, now = Date.now()): string {
  const seconds = (now - new Date(moment).getTime()) / 1000
  const [unit, length] = steps.find(([, one]) => seconds >= one) ?? []
  if (unit === undefined || length === undefined) return 'just now'
  return words.format(-Math.floor(seconds / length), unit)
}

const exactWithSeconds = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })

/** For a title: `Nov 15, 2026, 11:46 AM`. */
export function exactly(moment: string | number): string {
  return exact.format(new Date(moment))
}

/** Moments in one list, all with seconds where minutes do not tell two of them apart. */
export function distinctly(moments: readonly string[]): (moment: string) => string {
  const isDistinct = new Set(moments.map(exactly)).size === moments.length
  return isDistinct ? exactly : (moment) => exactWithSeconds.format(new Date(moment))
}
