/** When a connection is synced: `every: 1h`, or `cron: '0 * * * *'` in a time zone → the times. */
import { Cron } from 'croner'
import { ConnectorError } from '../std/errors.ts'
import { nearMiss } from '../std/text/near-miss.ts'
import { isObject } from '../std/values/objects.ts'
import { clockGaps, endOfRepeat } from './clock-gaps.ts'
import { hasReferences, isOnlyReferences } from './references.ts'
import { messageOf } from '../std/text/message-of.ts'

/** As it is written. Either `every` or `cron` is there. */
export type Schedule = {
  readonly every?: string
  readonly cron?: string
  /** Of `cron`; UTC when absent. */
  readonly timezone?: string
  /** Receives the result of every run; may be a reference. */
  readonly webhook?: string
  readonly paused?: boolean
}

/** In ms. */
const units: ReadonlyMap<string, number> = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
])

const longestMs = 366 * 86_400_000

/** `90s`, `15m`, `1h`, `1d`, `2w` → ms. */
export function parseEvery(text: string): number {
  const [, number = '', unit = ''] = /^(\d+)([a-z])$/.exec(text.trim()) ?? []
  const ms = Number(number) * (units.get(unit) ?? Number.NaN)
  if (ms > 0 && ms <= longestMs) return ms
  const reason = ms === 0 ? 'it is zero' : ms > longestMs ? 'it is longer than a year' : 'it is not a duration'
  throw new ConnectorError('schedules/every', `A schedule cannot run every \`${text}\`: ${reason}.`)
}

/** Checks what was written, or came over the wire; throws the first problem. */
export function parseSchedule(value: unknown): Schedule {
  if (!isObject(value)) throw invalid('A schedule has `every` or `cron`.')
  const unknown = Object.keys(value).find((key) => !scheduleKeys.includes(key))
  if (unknown !== undefined) {
    const near = nearMiss(unknown, scheduleKeys)
    throw invalid(
      `A schedule has no key \`${unknown}\`.`,
      near === undefined ? `Its keys are ${scheduleKeys.join(', ')}.` : `Did you mean \`${near}\`?`,
    )
  }
  const { every, cron, timezone, webhook, paused } = value
  if ((every === undefined) === (cron === undefined)) throw invalid('A schedule has either `every` or `cron`.')
  if (timezone !== undefined && cron === undefined) {
    throw invalid('`timezone` belongs to `cron`.', 'Remove `timezone`: `every` counts from the last run.')
  }
  if (paused !== undefined && typeof paused !== 'boolean') throw invalid('`paused` must be true or false.')
  const texts = { every, cron, timezone, webhook }
  for (const [key, text] of Object.entries(texts)) {
    if (text !== undefined && typeof text !== 'string') throw invalid(`\`${key}\` must be a string.`)
  }
  if (typeof every === 'string') parseEvery(every)
  if (typeof timezone === 'string') checkTimezone(timezone)
  if (typeof cron === 'string') checkCron(cron, typeof timezone === 'string' ? timezone : undefined)
  if (typeof webhook === 'string') checkWebhook(webhook)
  return value
}

export const scheduleKeys: readonly string[] = [
  'every',
  'cron',
  'timezone',
  'webhook',
  'paused',
] satisfies (keyof Schedule)[]

function invalid(message: string, hint?: string): ConnectorError {
  return new ConnectorError('schedules/invalid', message, { hint })
}

/** The names that cron knows for common times. */
const nickname = /^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)$/i

function checkCron(cron: string, timezone: string | undefined): void {
  const parts = cron.trim().split(/\s+/)
  const hasParts = parts.length === cronParts.length
  const reason =
    hasParts || nickname.test(cron.trim())
      ? (numberFault(parts) ?? cronFault(cron, timezone))
      : `it has ${parts.length} of ${cronParts.length} parts`
  if (reason !== null)
    throw new ConnectorError('schedules/cron', `The cron expression \`${cron}\` is wrong: ${reason}.`)
}

/** The numbers that each part may have. */
const cronParts = [
  { name: 'minute', from: 0, to: 59 },
  { name: 'hour', from: 0, to: 23 },
  { name: 'day of month', from: 1, to: 31 },
  { name: 'month', from: 1, to: 12 },
  { name: 'day of week', from: 0, to: 7 },
] as const

/** Checked here, since the library counts days and months from 0 when it names a wrong one. */
function numberFault(parts: readonly string[]): string | null {
  for (const [index, { name, from, to }] of cronParts.entries()) {
    // The number after `/` is a step, the one after `#` a week of the month.
    const numbers = parts[index]?.replaceAll(/[/#][^,]*/g, '').match(/\d+/g) ?? []
    const wrong = numbers.find((number) => Number(number) < from || Number(number) > to)
    if (wrong !== undefined) return `the ${name} is a number from ${from} to ${to}, not ${wrong}`
  }
  return null
}

function cronFault(cron: string, timezone: string | undefined): string | null {
  try {
    // From a fixed day, so that the result does not depend on when it is checked.
    return openCron(cron, timezone).nextRun(new Date(0)) === null ? 'there is no such day' : null
  } catch (error) {
    const words = messageOf(error)
    return words
      .replace(/^CronPattern: /, '')
      .replace(/\.$/, '')
      .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
  }
}

function checkTimezone(timezone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions()
  } catch {
    const near = nearMiss(timezone, Intl.supportedValuesOf('timeZone'), 3)
    throw new ConnectorError('schedules/timezone', `There is no time zone \`${timezone}\`.`, {
      ...(near !== undefined && { hint: `Did you mean ${near}?` }),
    })
  }
}

function checkWebhook(webhook: string): void {
  if (hasReferences(webhook) || /^https?:\/\/[^\s]+$/.test(webhook)) return
  throw new ConnectorError('schedules/webhook', 'The webhook is not an http or https address.')
}

function openCron(cron: string, timezone = 'UTC'): Cron {
  return new Cron(cron.trim(), { timezone, mode: '5-part', paused: true })
}

/** The last answer for each schedule: thousands of them are looked at again and again, and parsing is slow. */
const answered = new WeakMap<Schedule, { readonly after: number; readonly time: number }>()

/** The first time after this one, in ms since 1970. `every` counts from it. */
export function timeAfter(schedule: Schedule, after: number): number {
  const { every, cron = '', timezone } = schedule
  if (every !== undefined) return after + parseEvery(every)
  const known = answered.get(schedule)
  if (known?.after === after) return known.time
  const regular = regularTime(cron, timezone, after)
  const time = endOfGap(cron, timezone, after, regular) ?? regular
  answered.set(schedule, { after, time })
  return time
}

/** A time that the clock shows twice runs once, the first time; what runs in every hour runs in both. */
function regularTime(cron: string, timezone: string | undefined, after: number): number {
  const time = openCron(cron, timezone).nextRun(new Date(after))?.getTime() ?? Number.POSITIVE_INFINITY
  if (timezone === undefined || isEveryHour(cron) || time === Number.POSITIVE_INFINITY) return time
  const end = endOfRepeat(timezone, time)
  return end === null ? time : regularTime(cron, timezone, end - 1)
}

function isEveryHour(cron: string): boolean {
  const [first = '', hour] = cron.trim().toLowerCase().split(/\s+/)
  return hour === undefined ? first === '@hourly' : ['*', '*/1', '0-23'].includes(hour)
}

/** A time that the clock skips runs at the end of the gap. What runs in every hour misses nothing in it. */
function endOfGap(cron: string, timezone: string | undefined, after: number, before: number): number | null {
  if (timezone === undefined || isEveryHour(cron) || before === Number.POSITIVE_INFINITY) return null
  for (const { at, from, until } of clockGaps(timezone, after, before)) {
    const skipped = openCron(cron).nextRun(new Date(from - 1))
    if (skipped !== null && skipped.getTime() < until) return at
  }
  return null
}

/** Two schedules with the same text run at the same times. */
export function scheduleTimes({ every, cron, timezone }: Schedule): string {
  return every === undefined ? `${cron} ${timezone ?? 'UTC'}` : `every ${every}`
}

/** A reference, or the host only: the rest of the address may be what opens it. */
export function shownWebhook(webhook: string): string {
  if (isOnlyReferences(webhook)) return webhook
  return `${/^https?:\/\/[^/?#@$]*/.exec(webhook)?.[0] ?? ''}/…`
}
