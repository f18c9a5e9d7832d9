/** What asks for the next page. Plain JSON data: a read can stop at one, store it, and resume from it later. */
import { Float, parseJson, stringifyJson } from '../../std/json.ts'

export type PageToken = {
  /** What templates see as `next_page_token['next_page_token']` and placements inject. */
  readonly value: unknown
  /** The value as exact JSON text, where plain JSON numbers would change it: long integers, whole floats, lists of them. */
  readonly exact?: string
  /** The whole address of the next page, where the token is a link. */
  readonly url?: string
}

export function pageToken(value: unknown, url?: string): PageToken {
  const link = url === undefined ? {} : { url }
  if (typeof value === 'bigint') return { value: String(value), exact: String(value), ...link }
  if (value instanceof Float) return { value: value.value, exact: value.toString(), ...link }
  if (typeof value !== 'object' || value === null) return { value, ...link }
  const exact = stringifyJson(value)
  const token = { value: JSON.parse(exact), exact, ...link }
  asGiven.set(token, value)
  return token
}

/** Python's tuples, and what else JSON has no word for: kept next to the token as long as it is not stored. */
const asGiven = new WeakMap<PageToken, unknown>()

/** The value with every digit. */
export function tokenValue(token: PageToken): unknown {
  if (token.exact === undefined) return token.value
  return asGiven.has(token) ? asGiven.get(token) : parseJson(token.exact).value
}
