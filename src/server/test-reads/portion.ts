/** Records → as many of them as fit into one answer. */
import type { JsonRecord } from '../../engine/plan/plan.ts'
import type { Redactor } from '../../engine/secrets/redact.ts'
import { isList, isObject } from '../../std/values/objects.ts'

/** With a page come the first of its records. */
export const withPage = { count: 100, characters: 512 * 1024 }

/** At least one where the first alone is too long, unless `mayBeEmpty`. */
export function portionOf(
  records: readonly JsonRecord[],
  redactor: Redactor,
  { from = 0, count, characters, mayBeEmpty = false }: PortionLimits,
): JsonRecord[] {
  const portion: JsonRecord[] = []
  let left = characters
  for (let index = from; index < Math.min(from + count, records.length); index++) {
    left -= lengthOf(records[index], left)
    if (left < 0 && (mayBeEmpty || portion.length > 0)) break
    portion.push(redactor.value(records[index]) as JsonRecord)
  }
  return portion
}

export type PortionLimits = {
  readonly from?: number
  readonly count: number
  readonly characters: number
  readonly mayBeEmpty?: boolean
}

/** About how long its JSON is; no more is looked at than makes it too long. */
export function lengthOf(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2
  let length = 2
  if (isList(value)) {
    for (const item of value) {
      if (length > most) break
      length += lengthOf(item, most - length) + 1
    }
    return length
  }
  if (!isObject(value)) return 8
  for (const name in value) {
    if (length > most) break
    length += name.length + 4 + lengthOf(value[name], most - length)
  }
  return length
}
