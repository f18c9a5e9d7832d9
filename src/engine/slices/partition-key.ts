/** A partition → the text it is known by. */
import { Float, stringifyJson } from '../../std/json.ts'
import { isObject } from '../../std/values/objects.ts'
import { pythonText } from '../template/text.ts'
import type { Partition } from './slice.ts'

/** Two partitions are one when their values are, in whatever order they stand. */
export function partitionKey(partition: Partition): string {
  return stringifyJson(sorted(partition))
}

/**
 * The key under which a state that was migrated from a legacy one holds this partition: values as texts, without the
 * parent's own partition. Null where the legacy shape had no such partitions.
 */
export function legacyKey({ parent_slice: parent, ...values }: Partition): string | null {
  if (!isObject(parent) || Object.keys(parent).length > 0) return null
  return partitionKey(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, pythonText(value)])))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value) || value instanceof Float) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, sorted(value[name])]),
  )
}

/** Each record of a slice asks for the key of its partition. */
export function rememberedKeys(): (partition: Partition) => string {
  const keys = new WeakMap<Partition, string>()
  return (partition) => {
    const known = keys.get(partition)
    if (known !== undefined) return known
    const key = partitionKey(partition)
    keys.set(partition, key)
    return key
  }
}
