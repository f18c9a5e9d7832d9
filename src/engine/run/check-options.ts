/** What a program passed to a read or a sync → nothing, or an error that names the option: a wrong number must not read nothing. */
import { ConnectorError } from '../../std/errors.ts'
import { valueAt } from '../../std/values/get-at.ts'
import { isObject } from '../../std/values/objects.ts'

type Rule = { readonly fits: (value: unknown) => boolean; readonly wants: string }

/** Timers count up to 24 days; Node takes longer ones for a millisecond. */
const longestMs = 2 ** 31 - 1

const isCount = (value: unknown, least: number) => Number.isSafeInteger(value) && (value as number) >= least
const isNumber = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value)

const count: Rule = { fits: (value) => isCount(value, 1), wants: 'a whole number, 1 or more' }
const limit: Rule = {
  fits: (value) => isNumber(value) && value > 0 && value <= longestMs,
  wants: `a number of milliseconds, more than 0 and at most ${longestMs}`,
}
const wait: Rule = { fits: (value) => isNumber(value) && value >= 0, wants: 'a number of milliseconds, 0 or more' }

/** One of these texts. */
export function choiceOf(choices: readonly string[]): Rule {
  return { fits: (value) => choices.includes(value as string), wants: `one of ${choices.join(', ')}` }
}

const rules: Readonly<Record<string, Rule>> = {
  config: { fits: isObject, wants: 'an object' },
  concurrency: count,
  streamsAtOnce: count,
  maxPages: { fits: (value) => value === Number.POSITIVE_INFINITY || count.fits(value), wants: count.wants },
  prefetch: {
    fits: (value) => value === 'auto' || value === 'off' || count.fits(value),
    wants: '`auto`, `off` or a whole number, 1 or more',
  },
  egress: choiceOf(['loopback-allowed', 'public-only', 'any']),
  signal: { fits: (value) => value instanceof AbortSignal, wants: 'an AbortSignal' },
  'limits.connectMs': limit,
  'limits.headersMs': limit,
  'limits.bodyMs': limit,
  'limits.totalMs': limit,
  'limits.maxBodyBytes': { fits: (value) => isNumber(value) && value > 0, wants: 'a number of bytes, more than 0' },
  'retry.maxRetries': { fits: (value) => isCount(value, 0), wants: 'a whole number, 0 or more' },
  'retry.baseMs': wait,
  'retry.maxWaitMs': wait,
}

/** @example checkOptions({ concurrency: Number(process.env.SLICES) }) */
export function checkOptions(options: object, more: Readonly<Record<string, Rule>> = {}): void {
  for (const [name, { fits, wants }] of Object.entries({ ...rules, ...more })) {
    const value = valueAt(options, name.split('.'))
    if (value === undefined || fits(value)) continue
    throw new ConnectorError('plan/invalid-option', `The option \`${name}\` must be ${wants}; it is ${shown(value)}.`)
  }
}

/** Never a text: it may be a secret. */
function shown(value: unknown): string {
  if (value === null || typeof value === 'number') return String(value)
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
