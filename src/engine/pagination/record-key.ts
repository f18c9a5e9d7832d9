/** A record → its primary key, as a hash or as people read it. */
import { stringifyJson } from '../../std/json.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { Hash } from '../../std/hashing/hash.ts'

/** One path per field. */
export type KeyPaths = readonly (readonly string[])[]

/** Null when the record has no value in a field of its key. `hash` is made for many records: one for each would be garbage. */
export function hashKey(hash: Hash, record: JsonRecord, paths: KeyPaths, seed = 0): Hash | null {
  hash.start(seed)
  for (const path of paths) {
    const value = at(record, path)
    if (value === undefined || value === null) return null
    hash.add(value)
  }
  return hash.end()
}

/** Whether the record has a value in each field of its key. */
export function hasKey(record: JsonRecord, paths: KeyPaths): boolean {
  return paths.every((path) => (at(record, path) ?? null) !== null)
}

export function keyTexts(record: JsonRecord, paths: KeyPaths): readonly string[] {
  return paths.map((path) => textOf(at(record, path)))
}

function at(record: JsonRecord, path: readonly string[]): unknown {
  let value: unknown = record
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (stringifyJson(value) ?? '')
}
