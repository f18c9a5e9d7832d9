/** Lines of a table → those that must go: of all with one key, all but the one with the highest cursor. */
import { followPath } from '../../std/values/get-at.ts'
import { Float, LongDecimal, parseJson, stringifyJson } from '../../std/json.ts'
import { decimalText } from '../columns/decimal-text.ts'
import type { Table } from '../destination.ts'
import { cursorColumn } from './compare-cursors.ts'
import { type FilePart, readAll } from './lines.ts'
import { type LineSet, lineSet } from './line-set.ts'
import { openSpill } from './spill.ts'

/**
 * Keys and cursors are written to buckets by the hash of the key, then looked at bucket by bucket: memory is bounded by
 * the keys in this much of the table, however large it is. Keys and cursors are a small part of the records.
 */
const bytesPerBucket = 64 << 20

/** The lines that lose against another with their key. A record without a key never does. */
export async function outdatedLines(
  parts: readonly FilePart[],
  { primaryKey, cursorField, schema }: Table,
  spillPath: string,
  bucketBytes = bytesPerBucket,
): Promise<LineSet> {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const bucketCount = Math.max(1, Math.ceil(length / bucketBytes))
  const column = cursorField === null ? null : cursorColumn(cursorField, schema)
  const cursorOf = (record: unknown) => (cursorField === null ? null : (followPath(record, [cursorField]) ?? null))
  const spill = await openSpill(spillPath, bucketCount)
  try {
    let line = 0
    for await (const lines of readAll(parts)) {
      for (const bytes of lines) {
        const record = parseLine(bytes.toString())
        const key = keyOf(record, primaryKey)
        if (key !== null) {
          const cursor = cursorOf(record)
          column?.see(cursor)
          await spill.add(hash(key) % bucketCount, `${stringifyJson([line, key, cursor])}\n`)
        }
        line++
      }
    }
    const compare = (one: unknown, other: unknown) => column?.compare(one, other) ?? 0
    const losers = lineSet()
    for (let bucket = 0; bucket < bucketCount; bucket++) addLosers(losers, await spill.read(bucket), compare)
    return losers
  } finally {
    await spill.close()
  }
}

type Compare = (one: unknown, other: unknown) => number

function addLosers(losers: LineSet, entries: string, compare: Compare): void {
  const best = new Map<string, { line: number; cursor: unknown }>()
  for (const text of entries.split('\n')) {
    if (text === '') continue
    const [line, key, cursor] = parseLine(text) as [number, string, unknown]
    const rival = best.get(key)
    if (rival !== undefined && compare(cursor, rival.cursor) < 0) losers.add(line)
    else {
      if (rival !== undefined) losers.add(rival.line)
      best.set(key, { line, cursor })
    }
  }
}

const longDigits = /[\d.]{16}/

/** Long numbers whole, since keys are made of them. Whether a number was written `2` or `2.0` makes no difference here. */
function parseLine(text: string): unknown {
  return longDigits.test(text) ? parseJson(text).value : JSON.parse(text)
}

/** Null where a part of the key is missing. `1`, `1.0` and `"1"` are one key, as they are in a column. */
function keyOf(record: unknown, primaryKey: Table['primaryKey']): string | null {
  const values = primaryKey.map((path) => followPath(record, path))
  if (values.length === 0 || values.some((value) => value === null || value === undefined)) return null
  return JSON.stringify(values.map(keyText))
}

function keyText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof LongDecimal) return decimalText(value)
  return value instanceof Float ? String(value.value) : stringifyJson(value)
}

/** FNV-1a. */
function hash(text: string): number {
  let bits = 0x811c9dc5
  for (let index = 0; index < text.length; index++) bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193)
  return bits >>> 0
}
