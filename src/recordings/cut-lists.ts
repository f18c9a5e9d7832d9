/** Recorded pages → the same pages with fewer records and shorter strings; whether that is honest, a replay decides. */
import { isList, isObject } from '../std/values/objects.ts'
import { valueAt } from '../std/values/get-at.ts'
import type { RecordedResponse } from './recording.ts'

/** Enough to recognize a text. */
const longString = 2000
const keptString = 200

/**
 * Keeps the first records and the last one, from which many an API continues. A page whose list is not found stays whole.
 */
export function cutPage(response: RecordedResponse, path: readonly string[], most: number): RecordedResponse {
  const { body } = response
  if (body === undefined || !('json' in body)) return response
  const list = valueAt(body.json, path)
  if (!isList(list)) return response
  const isLong = list.length > most
  const kept = isLong ? [...list.slice(0, Math.max(most - 1, 0)), list.at(-1)] : list
  const json = placed(body.json, path, kept.map(shortened))
  return { ...response, body: { json }, ...(isLong && { cutFrom: list.length }) }
}

function placed(value: unknown, [name, ...rest]: readonly string[], inside: unknown): unknown {
  if (name === undefined) return inside
  if (isList(value))
    return value.map((member, index) => (String(index) === name ? placed(member, rest, inside) : member))
  if (!isObject(value)) return value
  return { ...value, [name]: placed(value[name], rest, inside) }
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longString ? `${value.slice(0, keptString)}…` : value
  if (isList(value)) return value.map(shortened)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shortened(member)]))
}
