/** The records of a page, of a stream that names no key → the field that tells them apart, by its name and by what it holds. */
import type { JsonRecord } from '../engine/plan/plan.ts'

export type KeyPaths = readonly (readonly string[])[]

/** What APIs call it, the most usual first. */
const names = ['id', '_id', 'uuid', 'guid', 'gid', 'sys_id', 'key', 'Id', 'ID']

/** Empty where none is there on every record, and different on each. One record differs from no other. */
export function assumedKey(records: readonly JsonRecord[]): KeyPaths {
  if (records.length < 2) return []
  const name = names.find((one) => tellsApart(records, one))
  return name === undefined ? [] : [[name]]
}

function tellsApart(records: readonly JsonRecord[], name: string): boolean {
  const values = new Set<unknown>()
  for (const record of records) {
    const value = record[name]
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    if (!isPlain || values.has(value)) return false
    values.add(value)
  }
  return true
}
