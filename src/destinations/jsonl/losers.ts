/** Lines of a table → those that must go: of all with one key, all but the one with the highest cursor. */
import { followPath } from '../../follow-path.ts'
import { Float, parseJson, stringifyJson } from '../../json.ts'
import type { RowsOfSlice, Table } from '../destination.ts'
import { cursorColumn } from './compare-cursors.ts'
import { type FilePart, readLines } from './lines.ts'
import { type LineSet, lineSet } from './line-set.ts'
import { openSpill, type Spill } from './spill.ts'

/**
 * Keys and cursors are written to buckets by the hash of the key, then looked at bucket by bucket: memory is bounded by
 * the keys in this much of the table, however large it is. Keys and cursors are a small part of the records.
 */
const bytesPerBucket = 64 << 20

/** The lines that lose against another with their key. A record without a key never does. */
export async function outdatedLines(
  parts: readonly FilePart[],
  table: Table,
  spillPath: string,
  bucketBytes = bytesPerBucket,
): Promise<LineSet> {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const bucketCount = Math.max(1, Math.ceil(length / bucketBytes))
  const spill = await openSpill(spillPath, bucketCount)
  try {
    const column = table.cursorField === null ? null : cursorColumn(table.cursorField, table.schema)
    let line = 0
    for (const part of parts) {
      for await (const lines of readLines(part)) {
        for (const text of lines) {
          const record = parseLine(text.toString())
          const key = keyOf(record, table.primaryKey)
          const cursor = table.cursorField === null ? null : (followPath(record, [table.cursorField]) ?? null)
          if (key !== null) {
            column?.see(cursor)
            await spill.add(hash(key) % bucketCount, `${stringifyJson([line, key, cursor])}\n`)
          }
          line++
        }
      }
    }
    const compare = (one: unknown, other: unknown) => column?.compare(one, other) ?? 0
    const losers = lineSet()
    for (let bucket = 0; bucket < bucketCount; bucket++) await addLosers(losers, spill, bucket, compare)
    return losers
  } finally {
    await spill.close()
  }
}

async function addLosers(
  losers: LineSet,
  spill: Spill,
  bucket: number,
  compare: (one: unknown, other: unknown) => number,
) {
  const best = new Map<string, { line: number; cursor: unknown }>()
  for (const text of (await spill.read(bucket)).split('\n')) {
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

const longDigits = /\d{16}/

/** Long integers whole, since keys are made of them. Whether a number was written `2` or `2.0` makes no difference here. */
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
  return value instanceof Float ? String(value.value) : stringifyJson(value)
}

/** FNV-1a. */
function hash(text: string): number {
  let bits = 0x811c9dc5
  for (let index = 0; index < text.length; index++) bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193)
  return bits >>> 0
}

/** The lines that hold rows of a slice from a page on. */
export async function linesOfSlice(part: FilePart, { slice, runs, fromPage }: RowsOfSlice): Promise<LineSet> {
  const found = lineSet()
  let line = 0
  for await (const lines of readLines(part)) {
    for (const text of lines) {
      const row = JSON.parse(text.toString()) as Record<string, unknown>
      const isOfSlice = row._turnleaf_slice === slice && runs.includes(row._turnleaf_run as string)
      if (isOfSlice && (row._turnleaf_page as number) >= fromPage) found.add(line)
      line++
    }
  }
  return found
}
