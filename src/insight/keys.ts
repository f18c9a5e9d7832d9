/** The records of one slice, page by page → how many primary keys came more than once, in bounded space. */
import { stringifyJson } from '../json.ts'
import type { JsonRecord } from '../engine/plan/plan.ts'
import { openKeyTable } from './key-table.ts'

export type KeyCounts = {
  readonly unique: number
  /** Records whose key came before. */
  readonly repeated: number
  /** Those of them that were no longer the same: changed during the walk, which is no fault. */
  readonly changed: number
  /** The first page, from 1, that brought nothing but records of earlier pages; null when there was none. */
  readonly repeatedPage: number | null
  /** Whether every key was remembered. Behind the limit only repetitions of the remembered ones are seen. */
  readonly isExact: boolean
}

export type KeyTracker = {
  /** `page` from 1. The parts of a page are one page. */
  observe(records: readonly JsonRecord[], page: number): void
  /** Null when the key is none: it names two records of one page. */
  counts(): KeyCounts | null
}

export type KeyOptions = {
  /** One path per field. */
  readonly primaryKey: readonly (readonly string[])[]
  /** The field that changes when a record does. */
  readonly cursorField?: string | undefined
  /** How many keys are remembered. */
  readonly limit?: number
}

/** At most 8 MB of hashes, while the slice is being read. */
const usualLimit = 200_000

/** Nothing of it is stored: after a crash the keys of a slice are unknown, and whoever goes on must not ask. */
export function trackKeys({ primaryKey, cursorField, limit = usualLimit }: KeyOptions): KeyTracker {
  const table = openKeyTable(limit)
  let isKey = primaryKey.length > 0
  let repeated = 0
  let changed = 0
  let repeatedPage: number | null = null
  let current = { page: 0, records: 0, again: 0 }

  const endPage = () => {
    // One record may come again alone, because it was changed meanwhile or is all there is.
    if (current.records > 1 && current.again === current.records) repeatedPage ??= current.page
  }
  return {
    observe(records, page) {
      if (!isKey) return
      if (page !== current.page) {
        endPage()
        current = { page, records: 0, again: 0 }
      }
      for (const record of records) {
        current.records++
        const key = keyOf(record, primaryKey)
        if (key === null) continue
        const seen = table.add(key, printOf(record, cursorField), page)
        if (seen === null) continue
        // A key that two records of one page share does not tell records apart.
        if (seen.page === page) {
          isKey = false
          return
        }
        repeated++
        if (seen.isChanged) changed++
        else current.again++
      }
    },
    counts() {
      if (!isKey) return null
      endPage()
      return { unique: table.size(), repeated, changed, repeatedPage, isExact: !table.isFull() }
    },
  }
}

function keyOf(record: JsonRecord, paths: readonly (readonly string[])[]): string | null {
  let key = ''
  for (const path of paths) {
    const value = at(record, path)
    if (value === undefined || value === null) return null
    key = key === '' ? textOf(value) : `${key}\n${textOf(value)}`
  }
  return key
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
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : (stringifyJson(value) ?? '')
}

/** Fields looked at, and letters of each: a record that was changed differs in one of them, nearly always. */
const fieldsSeen = 16
const lettersSeen = 24

/** A hash that tells a record from a later version of itself, for a fraction of what writing it as JSON would cost. */
function printOf(record: JsonRecord, cursorField: string | undefined): number {
  let print = cursorField === undefined ? 0 : mixed(0, record[cursorField])
  let fields = 0
  for (const name in record) {
    if (++fields > fieldsSeen) break
    print = mixed(print, record[name])
  }
  return print >>> 0
}

function mixed(print: number, value: unknown): number {
  switch (typeof value) {
    case 'string': {
      let mix = Math.imul(print ^ value.length, 0x01000193)
      // What changes stands at the end more often than at the start: versions, times, numbers.
      for (let index = Math.max(0, value.length - lettersSeen); index < value.length; index++) {
        mix = Math.imul(mix ^ value.charCodeAt(index), 0x01000193)
      }
      return mix
    }
    case 'number':
      return Math.imul(Math.imul(print ^ value, 0x01000193) ^ (value * 1e6), 0x01000193)
    case 'bigint':
      return mixed(print, String(value))
    case 'boolean':
      return Math.imul(print ^ (value ? 1 : 2), 0x01000193)
    default:
      return Math.imul(print, 0x01000193)
  }
}
