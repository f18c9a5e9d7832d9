/** A request compared with the previous one → what is new, changed or gone. */
import { parseJson, stringifyJson } from '../../../std/json.ts'
import type { ShownRequest } from '../../../server/wire/exchange.ts'

export type RequestChange =
  | { readonly kind: 'same' }
  | { readonly kind: 'new' }
  | { readonly kind: 'changed'; readonly was: string }
  | { readonly kind: 'gone' }

export type ComparedValue = { readonly name: string; readonly value: string; readonly change: RequestChange }

export type ComparedRequest = {
  readonly method: string
  /** Without the query. */
  readonly address: ComparedValue
  readonly query: readonly ComparedValue[]
  readonly headers: readonly ComparedValue[]
  /** Names and values, where the body has such; empty where it is plain text or not there. */
  readonly bodyValues: readonly ComparedValue[]
  readonly body: string | null
}

/** @param before the request of the page before; null for the first, where nothing is marked. */
export function compareRequests(before: ShownRequest | null, now: ShownRequest): ComparedRequest {
  const compare = (partsOf: (request: ShownRequest) => Pair[]) =>
    before === null
      ? partsOf(now).map(([name, value]) => ({ name, value, change: same }))
      : compareValues(partsOf(before), partsOf(now))
  const past = before === null ? addressOf(now.url) : addressOf(before.url)
  const present = addressOf(now.url)
  return {
    method: now.method,
    address: { name: '', value: present, change: changeOf(past, present) },
    query: compare(({ url }) => queryOf(url)),
    headers: compare(({ headers }) => Object.entries(headers)),
    bodyValues: compare(bodyPairs),
    body: now.body,
  }
}

/** How many of them are not what they were. */
export function countChanges(values: readonly ComparedValue[]): number {
  return values.filter(({ change }) => change.kind !== 'same').length
}

type Pair = readonly [name: string, value: string]

const same: RequestChange = { kind: 'same' }

function changeOf(was: string, is: string): RequestChange {
  return was === is ? same : { kind: 'changed', was }
}

/** A name may occur several times: the first is compared with the first, the second with the second. */
function compareValues(before: readonly Pair[], now: readonly Pair[]): ComparedValue[] {
  const past = numbered(before)
  const present = numbered(now)
  const kept = [...present].map(([key, [name, value]]): ComparedValue => {
    const was = past.get(key)
    if (was === undefined) return { name, value, change: { kind: 'new' } }
    return { name, value, change: changeOf(was[1], value) }
  })
  const gone = [...past].filter(([key]) => !present.has(key))
  return [...kept, ...gone.map(([, [name, value]]) => ({ name, value, change: { kind: 'gone' } as const }))]
}

function numbered(pairs: readonly Pair[]): Map<string, Pair> {
  const seen = new Map<string, number>()
  return new Map(
    pairs.map((pair) => {
      const nth = (seen.get(pair[0]) ?? 0) + 1
      seen.set(pair[0], nth)
      return [`${nth} ${pair[0]}`, pair]
    }),
  )
}

function addressOf(url: string): string {
  return url.replace(/[?#].*$/s, '')
}

function queryOf(url: string): Pair[] {
  const [, query = ''] = /\?([^#]*)/s.exec(url) ?? []
  return [...new URLSearchParams(query)]
}

function bodyPairs({ body, headers }: ShownRequest): Pair[] {
  if (body === null || body === '') return []
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (type.includes('form-urlencoded')) return [...new URLSearchParams(body)]
  try {
    return leaves(parseJson(body).value, '')
  } catch {
    return []
  }
}

/** `{ page: { size: 2 } }` → `page.size` 2 */
function leaves(value: unknown, path: string): Pair[] {
  if (typeof value !== 'object' || value === null || !isContainer(value)) return [[path, stringifyJson(value)]]
  return Object.entries(value).flatMap(([name, member]) => leaves(member, path === '' ? name : `${path}.${name}`))
}

function isContainer(value: object): boolean {
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}
