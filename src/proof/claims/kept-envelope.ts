/** The body of the first page, and one without its list → whether it is the same envelope, with list and next page left out. */
import { isList, isObject } from '../../std/values/objects.ts'
import type { FoundNext } from './envelope-claims.ts'

/** An object with more members is no envelope. */
const most = 20

/**
 * What is next to the list and the token on the first page, where the body itself holds both; null where nothing else is there to know
 * the envelope by. Google leaves out the list with the token: `{ "kind": "…", "etag": "…" }` is the end.
 */
export function envelopeNames(body: unknown, recordPath: readonly string[] | null, nexts: readonly FoundNext[]) {
  if (!isObject(body) || recordPath?.length !== 1) return null
  const tokens = nexts.flatMap(({ place, says }) => (says === 'more' && place.length === 2 ? [place[1]] : []))
  const names = Object.keys(body)
  if (tokens.length === 0 || names.length > most) return null
  const others = names.filter((name) => name !== recordPath[0] && !tokens.includes(name))
  return others.length === 0 ? null : others
}

/** Everything is still there, and nothing came that could hold the records under another name. */
export function isKeptEnvelope(body: unknown, names: readonly string[]): boolean {
  if (!isObject(body) || !names.every((name) => Object.hasOwn(body, name))) return false
  return Object.keys(body).every((name) => names.includes(name) || !mayHold(body[name]))
}

function mayHold(value: unknown): boolean {
  return isList(value) ? value.length > 0 : isObject(value)
}
