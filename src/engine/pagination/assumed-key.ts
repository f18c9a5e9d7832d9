/** The records of a page, of a stream without a primary key → the field that identifies them, by its name and its values. */
import type { JsonRecord } from '../plan/plan.ts'
import type { KeyPaths } from './record-key.ts'

/** What APIs call it, the most usual first. */
export const idNames = ['id', '_id', 'ID', 'Id', 'uuid', 'guid', 'gid', 'sys_id', 'key']

/** Empty where no field is on every record with a different value each. One record alone shows nothing. */
export function assumedKey(records: readonly JsonRecord[]): KeyPaths {
  if (records.length < 2) return []
  const name = idNames.find((one) => distinguishes(records, one))
  return name === undefined ? [] : [[name]]
}

/** Whether each record has a plain value of its own there. */
export function distinguishes(records: readonly Readonly<Record<string, unknown>>[], name: string): boolean {
  const values = new Set<unknown>()
  for (const record of records) {
    const value = record[name]
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    if (!isPlain || values.has(value)) return false
    values.add(value)
  }
  return true
}
