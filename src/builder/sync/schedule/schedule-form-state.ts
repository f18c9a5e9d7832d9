/** What is typed into the form of a schedule → the requests that make it. */
import type { ScheduleRequest } from '../../../server/wire/schedule.ts'

export type ScheduleDraft = {
  readonly kind: 'every' | 'cron'
  readonly amount: string
  readonly unit: 'm' | 'h' | 'd'
  readonly cron: string
  readonly timezone: string
}

export const usualDraft: ScheduleDraft = { kind: 'every', amount: '1', unit: 'h', cron: '0 6 * * *', timezone: 'UTC' }

/** Null while something is missing. Whether the times make sense is the server's to say. */
export function scheduleOf({ kind, amount, unit, cron, timezone }: ScheduleDraft): ScheduleRequest | null {
  if (kind === 'cron') {
    if (cron.trim() === '') return null
    return { cron: cron.trim(), ...(timezone.trim() !== '' && { timezone: timezone.trim() }) }
  }
  return /^[1-9]\d{0,5}$/.test(amount.trim()) ? { every: `${amount.trim()}${unit}` } : null
}

/** `every 15 minutes`, `0 6 * * * UTC` */
export function timesWords({
  every,
  cron,
  timezone,
}: {
  readonly every: string | null
  readonly cron: string | null
  readonly timezone: string | null
}): string {
  if (every === null) return [cron, timezone].filter(Boolean).join(' ')
  const [, amount = '', letter = ''] = /^(\d+)([a-z])$/.exec(every) ?? []
  const unit = units.get(letter)
  if (unit === undefined) return `every ${every}`
  return amount === '1' ? `every ${unit}` : `every ${amount} ${unit}s`
}

const units: ReadonlyMap<string, string> = new Map([
  ['s', 'second'],
  ['m', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
  ['w', 'week'],
])

const steps: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** `in 59 minutes`, `now` */
export function untilWords(moment: string, now = Date.now()): string {
  const seconds = (Date.parse(moment) - now) / 1000
  if (seconds <= 0) return 'now'
  const [unit, length] = steps.find(([, one]) => seconds >= one) ?? []
  return unit === undefined || length === undefined
    ? 'in less than a minute'
    : words.format(Math.floor(seconds / length), unit)
}
