/** A detection under way: the request, its first page, and probes that are compared with it. */
import { stringifyJson } from '../../std/json.ts'
import { count } from '../../std/text/format-count.ts'
import type { ProbeResponse, ProbeSender } from './probe-sender.ts'
import { areEqual, isNew, type RecordLayout, type ProbedPage, pageIn } from './probed-pages.ts'
import { type Put, requestOf } from './probe-request.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import type { SlotSource } from './slots.ts'

export type DetectionSession = SlotSource & {
  readonly sender: ProbeSender
  readonly layout: RecordLayout
  /** The response without paging values. */
  readonly first: ProbedPage
  /** What the API requires on every request. */
  readonly needed: readonly Put[]
  /** Every page that a probe returned. */
  readonly seen: ProbedPage[]
  /** Requests with many names were refused, or the names treated as filters: names are tried one at a time. */
  readonly isStrict?: boolean
}

export type Probed = { readonly response: ProbeResponse; readonly page: ProbedPage | null }

/** Null when no request is left. */
export function sendProbe(session: DetectionSession, why: string, puts: readonly Put[]): Promise<Probed | null> {
  const own = session.needed.filter(({ slot }) => !puts.some((put) => put.slot.path.join() === slot.path.join()))
  return probeRequest(session, why, requestOf(session.question, [...own, ...puts]))
}

export async function probeRequest(
  session: DetectionSession,
  why: string,
  request: HttpRequest,
): Promise<Probed | null> {
  const { sender, layout, first, seen } = session
  const response = await sender.ask(why, request, (given) => sayResponse(given, layout, first))
  if (response === null) return null
  const page = pageIn(response, layout)
  if (page !== null) seen.push(page)
  return { response, page }
}

export function sayResponse(response: ProbeResponse, layout: RecordLayout | null, first: ProbedPage | null): string {
  if (response.status === null) return response.message ?? 'no response'
  if (response.status >= 400) return response.message ?? 'refused'
  if (response.status >= 300) return 'leads elsewhere'
  if (!response.isJson) return 'not JSON'
  const page = layout === null ? null : pageIn(response, layout)
  if (page === null || layout === null) return 'no list of records'
  return sayPage(page, layout, first)
}

function sayPage({ keys, records }: ProbedPage, { id }: RecordLayout, first: ProbedPage | null): string {
  const amount = count(keys.length, 'record')
  if (keys.length === 0) return amount
  const value = id === null ? undefined : records[0]?.[id]
  const name = value === undefined ? '' : stringifyJson(value)
  const named = name === '' ? '' : `, the first is ${name}`
  if (first === null) return amount + named
  if (areEqual(keys, first.keys)) return `${amount}, the same as without it`
  const at = first.keys.indexOf(keys[0] as string)
  if (at === 0) return `${amount}, the same first one`
  if (at > 0) return `${amount}${named}, from record ${at + 1} of the first response on`
  return isNew(keys, first.keys) ? `${amount}, all new${named}` : amount + named
}

/** The same, as if fewer requests were left. */
export function reserving(session: DetectionSession, requests: number): DetectionSession {
  const { sender } = session
  const left = () => Math.max(0, sender.left() - requests)
  const ask: ProbeSender['ask'] = async (...given) => (left() === 0 ? null : sender.ask(...given))
  return { ...session, sender: { ...sender, left, ask } }
}
