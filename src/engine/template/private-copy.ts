/** Values of the scope → copies a template may change, each made once per evaluation. */
import { Float } from '../../std/json.ts'
import { AttributedDict } from './host.ts'
import { kind } from './values/kind.ts'
import type { Value } from './values/value.ts'

/** The same value gives the same copy, so that two names for one list still are one list. */
export function privateCopy(value: unknown, copies: Map<unknown, Value>): Value {
  if (typeof value !== 'object' || value === null || value instanceof Float) return value as Value
  const known = copies.get(value)
  if (known !== undefined) return known
  const copy = copyOf(value, copies)
  copies.set(value, copy)
  return copy
}

function copyOf(value: object, copies: Map<unknown, Value>): Value {
  if (Array.isArray(value)) return value.map((item) => privateCopy(item, copies))
  if (value instanceof AttributedDict) {
    return new AttributedDict(copyEntries(value.entries, copies), copyEntries(value.attributes, copies))
  }
  if (kind in value) return value
  const entries: Iterable<[unknown, unknown]> = value instanceof Map ? value : Object.entries(value)
  const copy = new Map<Value, Value>()
  for (const [key, member] of entries) if (member !== undefined) copy.set(key as Value, privateCopy(member, copies))
  return copy
}

function copyEntries(entries: Readonly<Record<string, unknown>>, copies: Map<unknown, Value>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entries).map(([key, member]) => [key, privateCopy(member, copies)]))
}
