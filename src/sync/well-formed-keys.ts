/** Keys that hold half of a character, as a text that was cut within an emoji does. */
import type { Table } from '../destinations/destination.ts'
import type { JsonRecord } from '../engine/plan/plan.ts'
import { followPath } from '../std/values/get-at.ts'
import { isObject } from '../std/values/objects.ts'

type Records = readonly JsonRecord[]

/**
 * Destinations write half of a character as U+FFFD, so that different keys become one, and rows that merge by key are
 * lost. Written as its escape (`\ud83d`), each key stays what it is.
 */
export function wellFormedKeys(
  { mode, primaryKey }: Table,
  warn: (text: string) => void,
): (records: Records) => Records {
  if (mode !== 'dedup') return (records) => records
  const isBroken = (value: unknown): value is string => typeof value === 'string' && !value.isWellFormed()
  const hasBroken = (record: JsonRecord) => primaryKey.some((path) => isBroken(followPath(record, path)))
  let hasWarned = false
  return (records) => {
    if (!records.some(hasBroken)) return records
    if (!hasWarned) warn('A primary key has a lone surrogate; it is written as its escape, such as `\\ud83d`.')
    hasWarned = true
    return records.map((record) => {
      let written = record
      for (const path of primaryKey) {
        const value = followPath(record, path)
        if (isBroken(value)) written = withValue(written, path, escaped(value))
      }
      return written
    })
  }
}

function escaped(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`)
}

function withValue(record: JsonRecord, [name = '', ...rest]: readonly string[], value: string): JsonRecord {
  if (rest.length === 0) return { ...record, [name]: value }
  const inner = record[name]
  return isObject(inner) ? { ...record, [name]: withValue(inner, rest, value) } : record
}
