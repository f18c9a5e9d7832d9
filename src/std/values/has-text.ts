/** Whether a value contains a text. */
import { stringifyJson } from '../json.ts'
import { isList, isObject } from './objects.ts'

/** In any case; names do not count. `wanted` is in lower case. */
export function hasText(value: unknown, wanted: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(wanted)
  if (isList(value)) return value.some((item) => hasText(item, wanted))
  if (isObject(value)) return Object.values(value).some((member) => hasText(member, wanted))
  return value !== undefined && stringifyJson(value).toLowerCase().includes(wanted)
}
