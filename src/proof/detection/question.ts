/** The request that was given, with values put into places of it → the requests of probes. */
import { withValueAt } from '../../std/values/set-at.ts'
import { stringifyJson } from '../../std/json.ts'
import { isObject } from '../../std/values/objects.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import type { Pair } from '../../from-request/given-request.ts'
import type { Placed } from './detection.ts'

/** A place in a request; the path has one name, but in a JSON body, where it may lead deeper. In an address, it counts from the end. */
export type Slot = {
  readonly into: Placed['into']
  readonly path: readonly string[]
  /** What follows the value in the same parameter: `,100`. */
  readonly after?: string
  /** What it is for, where its name does not show it: the argument that a variable is given to. */
  readonly as?: string
}

export type Value = string | number | bigint

export type Put = { readonly slot: Slot; readonly value: Value }

export type Question = {
  readonly method: string
  /** Without its query. */
  readonly address: string
  readonly query: readonly Pair[]
  readonly headers: readonly Pair[]
  /** Undefined where no JSON is sent. */
  readonly json: unknown
  readonly form: readonly Pair[] | null
  /** Keys of the places that hold a credential: nothing else is put there. */
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

/** Every place of the request, with what stands there. */
export function filledSlots({ json, form, query }: Pick<Question, 'json' | 'form' | 'query'>): Filled[] {
  const inForm = (form ?? []).map(([name, value]): Filled => ({ slot: { into: 'body_data', path: [name] }, value }))
  return [...filledIn(json, []), ...inForm, ...query.map(([name, value]) => ({ slot: inQuery(name), value }))]
}

type Filled = { readonly slot: Slot; readonly value: unknown }

function filledIn(value: unknown, path: readonly string[]): Filled[] {
  if (isObject(value) && path.length < 4)
    return Object.keys(value).flatMap((name) => filledIn(value[name], [...path, name]))
  return path.length === 0 ? [] : [{ slot: { into: 'body_json', path }, value }]
}

export function placedOf(slot: Slot): Placed {
  return { into: slot.into, name: slotName(slot) }
}

export function requestOf(question: Question, puts: readonly Put[]): HttpRequest {
  const inPlace = (into: Placed['into']) => puts.filter(({ slot }) => slot.into === into)
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

function bodyOf({ json, form }: Question, inJson: readonly Put[], inForm: readonly Put[]) {
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

/** Whether both can be put into one request: `page` cannot be beside `page.size`, nor beside `page[size]`. */
export function goTogether(one: Slot, other: Slot): boolean {
  if (one.into !== other.into) return true
  const [first, second] = [stepsOf(one), stepsOf(other)]
  const [short, long] = first.length <= second.length ? [first, second] : [second, first]
  return short.some((name, index) => name !== long[index])
}

function stepsOf({ path }: Slot): string[] {
  return path.flatMap((name) => name.split('[').map((part) => part.replace(/\]$/, '')))
}
