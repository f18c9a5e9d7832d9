/** What a program passed to a read or a sync → nothing, or an error that names the option: a wrong number must not read nothing. */
import { ConnectorError } from '../../std/errors.ts'
import { valueAt } from '../../std/values/get-at.ts'
import { longestTimerMs } from '../../std/sleep.ts'
import { nearMiss } from '../../std/text/near-miss.ts'
import { isObject } from '../../std/values/objects.ts'

export type Rule = { readonly fits: (value: unknown) => boolean; readonly wants: string; readonly isRequired?: true }

const isCount = (value: unknown, least: number) => Number.isSafeInteger(value) && (value as number) >= least
const isNumber = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value)

export const oneOrMore: Rule = { fits: (value) => isCount(value, 1), wants: 'a whole number, 1 or more' }
const limit: Rule = {
  fits: (value) => isNumber(value) && value > 0 && value <= longestTimerMs,
  wants: `a number of milliseconds, more than 0 and at most ${longestTimerMs}`,
}
const wait: Rule = { fits: (value) => isNumber(value) && value >= 0, wants: 'a number of milliseconds, 0 or more' }

/** One of these texts. */
export function choiceOf(choices: readonly string[]): Rule {
  return { fits: (value) => choices.includes(value as string), wants: `one of ${choices.join(', ')}` }
}

const isText = (value: unknown) => typeof value === 'string'
const isTexts = (value: unknown): value is unknown[] => Array.isArray(value) && value.every(isText)

export const object: Rule = { fits: isObject, wants: 'an object' }
export const anyText: Rule = { fits: isText, wants: 'a string' }
export const filledText: Rule = { fits: (value) => isText(value) && value !== '', wants: 'a string that is not empty' }
export const texts: Rule = { fits: isTexts, wants: 'a list of strings' }
export const filledTexts: Rule = {
  fits: (value) => isTexts(value) && value.length > 0,
  wants: 'a list with at least one string',
}
export const yesOrNo: Rule = { fits: (value) => typeof value === 'boolean', wants: 'true or false' }
export const callback: Rule = { fits: (value) => typeof value === 'function', wants: 'a function' }
export const signalRule: Rule = { fits: (value) => value instanceof AbortSignal, wants: 'an AbortSignal' }

export const destinationRule: Rule = {
  fits: (to) => isText(to) || (isObject(to) && typeof to.open === 'function'),
  wants: 'an address such as `duckdb:shop.duckdb`, or a destination',
  isRequired: true,
}

/** Any other value would ask for a page that does not exist, whose response looks like an empty API. */
const token: Rule = {
  fits: (value) => value === null || (isObject(value) && ('value' in value || isText(value.url))),
  wants: "a page's `next`, such as `{ value: 2 }`",
}
const slice: Rule = {
  fits: (value) => isObject(value) && isObject(value.partition) && isObject(value.window),
  wants: "a page's `slice`, such as `{ partition: {}, window: {} }`",
}

const rules: Readonly<Record<string, Rule>> = {
  config: object,
  state: { fits: (value) => value === null || isObject(value), wants: 'an object' },
  stream: anyText,
  from: token,
  slice,
  onState: callback,
  onNotice: callback,
  onConfig: callback,
  now: callback,
  sleep: callback,
  random: callback,
  cursorField: anyText,
  chosenSchema: object,
  trustedOrigins: texts,
  isNormalized: yesOrNo,
  limits: object,
  retry: object,
  concurrency: oneOrMore,
  streamsAtOnce: oneOrMore,
  maxPages: { fits: (value) => value === Number.POSITIVE_INFINITY || oneOrMore.fits(value), wants: oneOrMore.wants },
  prefetch: {
    fits: (value) => value === 'auto' || value === 'off' || oneOrMore.fits(value),
    wants: '`auto`, `off` or a whole number, 1 or more',
  },
  egress: choiceOf(['loopback-allowed', 'public-only', 'any']),
  signal: signalRule,
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
  checkOnly(options, { ...rules, ...more })
}

/** The same by these rules alone: of a function that reads no stream. */
export function checkOnly(options: object, own: Readonly<Record<string, Rule>>): void {
  // A program may pass any value where TypeScript did not check it.
  const given: unknown = options === undefined ? {} : options
  if (!isObject(given)) throw invalid('The argument `options`', object, given)
  for (const [name, rule] of Object.entries(own)) {
    const value = valueAt(given, name.split('.'))
    if (value === undefined ? !rule.isRequired : rule.fits(value)) continue
    throw invalid(`The option \`${name}\``, rule, value)
  }
}

/** A value that is not an option. `what`: `The name of the stream`. */
export function checkValue(what: string, value: unknown, rule: Rule): void {
  if (!rule.fits(value)) throw invalid(what, rule, value)
}

function invalid(what: string, { wants }: Rule, value: unknown): ConnectorError {
  return new ConnectorError('plan/invalid-option', `${what} must be ${wants}; it is ${shown(value)}.`)
}

/**
 * Refuses a name that is probably a misspelled option. Others are left alone: programs pass on objects that have more than
 * the options.
 */
function checkNames(options: object, known: readonly string[], refused: Readonly<Record<string, string>> = {}) {
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  for (const name of given) {
    if (known.includes(name)) continue
    const near = nearMiss(name, known)
    const hint = refused[name] ?? (near === undefined ? undefined : `Did you mean \`${near}\`?`)
    if (hint !== undefined)
      throw new ConnectorError('plan/invalid-option', `There is no option \`${name}\` here.`, { hint })
  }
}

/** Of `readPages` and `readRecords`. */
const readNames = (
  'stream config state onState maxPages prefetch concurrency from slice cursorField chosenSchema signal ' +
  'limits retry egress trustedOrigins onConfig onNotice isNormalized network tokens states run now sleep ' +
  'random readAt isShared wantsFiles sharedBudget'
).split(' ')

/** What a sync takes from the destination, or does for each stream by itself. */
const notOfSync: Readonly<Record<string, string>> = {
  stream: 'Name the streams in a list: `streams: ["orders"]`.',
  maxPages: 'A sync reads whole streams; `readPages` has `maxPages`.',
  state: 'A sync keeps its states in the destination.',
  onState: 'A sync keeps its states in the destination.',
  from: 'A sync resumes by itself where it was interrupted.',
  slice: 'A sync resumes by itself where it was interrupted.',
}

const syncNames = [
  ...readNames.filter((name) => !Object.hasOwn(notOfSync, name)),
  ...(
    'to schema connection streams catalog mode isFresh freshStart require acceptDrop streamsAtOnce onEvent ' +
    'onEnd claim'
  ).split(' '),
]

/** Where a program calls: what is passed on within Turnleaf may have more. */
export function checkReadOptions(options: object): void {
  checkOptions(options)
  checkNames(options, readNames)
}

export function checkSyncNames(options: object): void {
  checkNames(options, syncNames, notOfSync)
}

/** Never a text: it may be a secret. */
function shown(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null || typeof value === 'number') return String(value)
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
