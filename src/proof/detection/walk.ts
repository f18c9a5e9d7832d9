/** What a detection knows and may do: the request, its first page, and probes that are compared with it. */
import { followPath } from '../../std/values/get-at.ts'
import { stringifyJson } from '../../std/json.ts'
import { count } from '../../std/text/format-count.ts'
import type { Answer, Asking } from './asking.ts'
import { leavesBeside } from './leaves.ts'
import { areEqual, isNew, type Reading, type Shown, shownIn } from './pages.ts'
import { type Put, requestOf } from './question.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import { look } from '../claims/page-claims.ts'
import { wordsOf } from '../names/name-words.ts'
import type { SlotSource } from './slots.ts'
import type { Found } from '../claims/envelope-claims.ts'

export type Walk = SlotSource & {
  readonly asking: Asking
  readonly reading: Reading
  /** What the API answers when nothing is asked for in particular. */
  readonly first: Shown
  /** What must be sent for any answer at all. */
  readonly needed: readonly Put[]
  /** Every page that a probe brought, whatever it asked for. */
  readonly seen: Shown[]
  /** Requests with many names at once were refused, or taken for filters: names are tried one at a time. */
  readonly isStrict?: boolean
}

export type Probed = { readonly answer: Answer; readonly page: Shown | null }

/** Null when no more may be asked. */
export function probe(walk: Walk, why: string, puts: readonly Put[]): Promise<Probed | null> {
  const own = walk.needed.filter(({ slot }) => !puts.some((put) => put.slot.path.join() === slot.path.join()))
  return probeRequest(walk, why, requestOf(walk.question, [...own, ...puts]))
}

export async function probeRequest(walk: Walk, why: string, request: HttpRequest): Promise<Probed | null> {
  const { asking, reading, first, seen } = walk
  const answer = await asking.ask(why, request, (given) => sayAnswer(given, reading, first))
  if (answer === null) return null
  const page = shownIn(answer, reading)
  if (page !== null) seen.push(page)
  return { answer, page }
}

export function sayAnswer(answer: Answer, reading: Reading | null, first: Shown | null): string {
  if (answer.status === null) return answer.message ?? 'no answer'
  if (answer.status >= 400) return answer.message ?? 'refused'
  if (answer.status >= 300) return 'leads elsewhere'
  if (!answer.isJson) return 'not JSON'
  const page = reading === null ? null : shownIn(answer, reading)
  if (page === null || reading === null) return 'no list of records'
  return sayPage(page, reading, first)
}

function sayPage({ keys, records }: Shown, { id }: Reading, first: Shown | null): string {
  const amount = count(keys.length, 'record')
  if (keys.length === 0) return amount
  const value = id === null ? undefined : records[0]?.[id]
  const name = value === undefined ? '' : stringifyJson(value)
  const named = name === '' ? '' : `, the first is ${name}`
  if (first === null) return amount + named
  if (areEqual(keys, first.keys)) return `${amount}, the same as without it`
  const at = first.keys.indexOf(keys[0] as string)
  if (at === 0) return `${amount}, the same first one`
  if (at > 0) return `${amount}${named}, from record ${at + 1} of the first answer on`
  return isNew(keys, first.keys) ? `${amount}, all new${named}` : amount + named
}

/** What a page says about the whole: totals, flags, next links. */
export function claimsOf({ answer, keys }: Shown, { path }: Reading): Found {
  const facts = {
    body: answer.body,
    headers: answer.headers,
    receivedCount: keys.length,
    part: 0,
    isLast: false,
    isError: false,
  }
  return look(facts, {
    recordPath: path.includes('*') ? path.slice(0, path.indexOf('*')) : path,
    countsRecords: true,
    own: [],
  })
}

/** Totals that their names leave no doubt about; none where two contradict each other. */
export function totalsOf(page: Shown, reading: Reading): number[] {
  const counts = claimsOf(page, reading).numbers.filter(({ counts: what, isNamed }) => what === 'records' && isNamed)
  const values = new Set(counts.map(({ value }) => value))
  return values.size === 1 ? [...values] : []
}

/** Whether a page says itself that others follow. */
export function saysMore(page: Shown, reading: Reading): boolean {
  const [total] = totalsOf(page, reading)
  if (total !== undefined) return total > page.keys.length
  return claimsOf(page, reading).nexts.some(({ says }) => says === 'more')
}

/** Names beside the records that speak of a place in something longer: `last_month`, `next_batch`, `page`. */
export function hintsAtMore({ answer }: Shown, { path }: Reading): string | null {
  if (path.length === 0) return null
  const hint = leavesBeside(answer.body, path).find(
    ({ path: at, value }) => isAnyValue(value) && isPlaceWord(wordsOf(at.at(-1) ?? '')),
  )
  return hint?.path.join('.') ?? null
}

function isAnyValue(value: unknown): boolean {
  return typeof value === 'string' ? value !== '' : typeof value === 'number' && value > 1
}

function isPlaceWord(words: readonly string[]): boolean {
  const has = (some: RegExp) => words.some((word) => some.test(word))
  if (has(/^(date|time|at|reset|sync|synced|modified|updated|login|seen|changed|run|payment|refresh)$/)) return false
  return has(/^(last|next|until|cursor|continuation|offset|page|pages)$/)
}

/** A flag that says whether more follows; true means more, or the end. */
export type Flag = { readonly path: readonly string[]; readonly meansMore: boolean }

export function flagOf({ first, reading }: Pick<Walk, 'first' | 'reading'>): Flag | null {
  const flag = claimsOf(first, reading).nexts.find(
    ({ kind, place, says }) => kind === 'flag' && place[0] === 'body' && says === 'more',
  )
  if (flag === undefined) return null
  const [, ...path] = flag.place
  const value = followPath(first.answer.body, path)
  return { path, meansMore: value === true || value === 'true' }
}

/** The same, as if fewer requests were left. */
export function reserving(walk: Walk, requests: number): Walk {
  const { asking } = walk
  const left = () => Math.max(0, asking.left() - requests)
  const ask: Asking['ask'] = async (...given) => (left() === 0 ? null : asking.ask(...given))
  return { ...walk, asking: { ...asking, left, ask } }
}
