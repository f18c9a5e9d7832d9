/** A partition → the text it is known by. */
import { stringifyJson } from '../../json.ts'
import { isObject } from './reach.ts'
import type { Partition } from './slice.ts'

/** Two partitions are one when their values are, in whatever order they stand. */
export function partitionKey(partition: Partition): string {
  return stringifyJson(sorted(partition))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value
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
