/** A primary key as manifests write it ↔ a list of paths; and which fields could be one. */
import { isList, isObject } from '../../../std/values/objects.ts'
import { stringifyJson } from '../../../std/json.ts'

export type KeyPath = readonly string[]

/** `id`, `[id, region]` or `[[data, id]]`. Null for what is none of these. */
export function keysIn(value: unknown): readonly KeyPath[] | null {
  if (value === undefined || value === null || value === '') return []
  if (typeof value === 'string') return [[value]]
  if (!isList(value)) return null
  const keys = value.map((part) => (typeof part === 'string' ? [part] : part))
  return keys.every(isKeyPath) ? keys : null
}

/** As it was spelt, where that can hold it. Undefined for no key at all. */
export function writtenKeys(keys: readonly KeyPath[], before: unknown): unknown {
  const [first] = keys
  if (first === undefined) return undefined
  const isFlat = keys.every(({ length }) => length === 1)
  if (!isFlat) return keys.map((key) => [...key])
  if (typeof before === 'string' && keys.length === 1) return first[0]
  const wasNested = isList(before) && before.length > 0 && before.every(isList)
  return wasNested ? keys.map((key) => [...key]) : keys.map(([name]) => name)
}

/** Fields that are there in every record, each time with another value: the likeliest first. */
export function likelyKeys(records: readonly unknown[]): string[] {
  const [first] = records
  if (!isObject(first) || records.length < 2) return []
  return Object.keys(first)
    .filter((name) => isDistinct(records, name))
    .toSorted((one, other) => likelihood(other) - likelihood(one))
    .slice(0, 6)
}

function isDistinct(records: readonly unknown[], name: string): boolean {
  const seen = new Set<string>()
  for (const record of records) {
    const value = isObject(record) ? record[name] : undefined
    if (value === undefined || value === null || isObject(value) || isList(value) || typeof value === 'boolean')
      return false
    seen.add(stringifyJson(value))
  }
  return seen.size === records.length
}

function likelihood(name: string): number {
  if (/^_?id$/iu.test(name)) return 3
  return /(?:^|_)(?:id|uuid|guid|key)$|Id$/u.test(name) ? 2 : 1
}

function isKeyPath(value: unknown): value is KeyPath {
  return isList(value) && value.length > 0 && value.every((name) => typeof name === 'string')
}
