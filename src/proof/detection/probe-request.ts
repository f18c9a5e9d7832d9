/** The request that was given, with values put into places of it → the requests of probes. */
import { withValueAt } from '../../std/values/set-at.ts'
import { stringifyJson } from '../../std/json.ts'
import { isObject } from '../../std/values/objects.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import type { Pair } from '../../from-request/given-request.ts'
import type { CandidatePlacement } from './detection.ts'

/** A placement to try. Its path has one name, or several in a JSON body; in the URL path it is the part, counted from the end. */
export type Slot = {
  readonly into: CandidatePlacement['into']
  readonly path: readonly string[]
  /** What follows the value in the same parameter: `,100`. */
  readonly after?: string
  /** Its purpose, where the name does not show it: the argument that a GraphQL variable is passed to. */
  readonly as?: string
}

export type SlotValue = string | number | bigint

export type Put = { readonly slot: Slot; readonly value: SlotValue }

export type BaseRequest = {
  readonly method: string
  /** Without its query. */
  readonly address: string
  readonly query: readonly Pair[]
  readonly headers: readonly Pair[]
  /** Undefined where no JSON is sent. */
  readonly json: unknown
  readonly form: readonly Pair[] | null
  /** Keys of the slots that hold a credential: nothing else is put there. */
  readonly held: ReadonlySet<string>
}

export function inQuery(name: string): Slot {
  return { into: 'request_parameter', path: [name] }
}

export function slotName({ path }: Slot): string {
  return path.join('.')
}

export function isSameSlot(one: Slot, other: Slot): boolean {
  return slotKey(one) === slotKey(other)
}

/** Header names ignore case, others do not. */
export function slotKey({ into, path }: Slot): string {
  const name = path.join('\0')
  return `${into}\0${into === 'header' ? name.toLowerCase() : name}`
}

/** Every slot of the request that has a value. */
export function filledSlots({ json, form, query }: Pick<BaseRequest, 'json' | 'form' | 'query'>): Filled[] {
  const inForm = (form ?? []).map(([name, value]): Filled => ({ slot: { into: 'body_data', path: [name] }, value }))
  return [...filledIn(json, []), ...inForm, ...query.map(([name, value]) => ({ slot: inQuery(name), value }))]
}

type Filled = { readonly slot: Slot; readonly value: unknown }

function filledIn(value: unknown, path: readonly string[]): Filled[] {
  if (isObject(value) && path.length < 4)
    return Object.keys(value).flatMap((name) => filledIn(value[name], [...path, name]))
  return path.length === 0 ? [] : [{ slot: { into: 'body_json', path }, value }]
}

export function placedOf(slot: Slot): CandidatePlacement {
  return { into: slot.into, name: slotName(slot) }
}

export function requestOf(question: BaseRequest, puts: readonly Put[]): HttpRequest {
  const inPlace = (into: CandidatePlacement['into']) => puts.filter(({ slot }) => slot.into === into)
  const query = withPairs(question.query, inPlace('request_parameter'))
  const text = encoded(query)
  const { content, type } = bodyOf(question, inPlace('body_json'), inPlace('body_data'))
  const headers = Object.fromEntries(withPairs(question.headers, inPlace('header')))
  const hasType = question.headers.some(([name]) => /^content-type$/i.test(name))
  return {
    method: question.method,
    url: addressWith(question.address, inPlace('path')) + (text === '' ? '' : `?${text}`),
    headers: { ...(type !== null && !hasType && { 'content-type': type }), ...headers },
    body: content,
  }
}

function encoded(pairs: readonly Pair[]): string {
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString()
}

function withPairs(pairs: readonly Pair[], puts: readonly Put[]): Pair[] {
  const names = new Set(puts.map(({ slot }) => slotName(slot).toLowerCase()))
  const others = pairs.filter(([name]) => !names.has(name.toLowerCase()))
  return [...others, ...puts.map(({ slot, value }) => [slotName(slot), `${value}${slot.after ?? ''}`] as const)]
}

function addressWith(address: string, puts: readonly Put[]): string {
  const parts = address.split('/')
  for (const { slot, value } of puts) parts[parts.length - 1 - Number(slot.path[0])] = String(value)
  return parts.join('/')
}

function bodyOf({ json, form }: BaseRequest, inJson: readonly Put[], inForm: readonly Put[]) {
  if (form !== null || (inForm.length > 0 && json === undefined)) {
    const pairs = withPairs(form ?? [], inForm)
    const content = encoded(pairs)
    return { content, type: 'application/x-www-form-urlencoded' }
  }
  if (json === undefined && inJson.length === 0) return { content: null, type: null }
  const value = inJson.reduce((body: unknown, put) => withValueAt(body, put.slot.path, put.value), json ?? {})
  return { content: stringifyJson(value), type: 'application/json' }
}

/** Most names in one request: more would make an address that servers refuse. */
export const mostAtOnce = 44

/** Whether both can be put into one request: `page` cannot be next to `page.size` or `page[size]`. */
export function goTogether(one: Slot, other: Slot): boolean {
  if (one.into !== other.into) return true
  const [first, second] = [stepsOf(one), stepsOf(other)]
  const [short, long] = first.length <= second.length ? [first, second] : [second, first]
  return short.some((name, index) => name !== long[index])
}

function stepsOf({ path }: Slot): string[] {
  return path.flatMap((name) => name.split('[').map((part) => part.replace(/\]$/, '')))
}

/** Query parameters that a later page may not take; a credential is sent with every request. */
export function fixedNames({ query, held }: BaseRequest): string[] {
  return query.map(([name]) => name).filter((name) => !held.has(slotKey(inQuery(name))))
}

export function withoutQuery(question: BaseRequest, names: readonly string[]): BaseRequest {
  return { ...question, query: question.query.filter(([name]) => !names.includes(name)) }
}

/** As the engine requests a next URL: missing parameters are added, and another origin gets nothing of the given request. */
export function requestTo(url: string, question: BaseRequest, isForeign: boolean, needed: readonly Put[]): HttpRequest {
  if (isForeign) return { method: 'GET', url, headers: {}, body: null }
  const target = new URL(url)
  const missing = question.query.filter(([name]) => !target.searchParams.has(name))
  return requestOf(
    { ...question, address: target.origin + target.pathname, query: [...target.searchParams, ...missing] },
    needed.filter(({ slot }) => slot.into !== 'request_parameter'),
  )
}
