/** Lines of a table → those to delete: of all lines with the same key, all but the one with the highest cursor. */
import { open, rm } from 'node:fs/promises'
import { decimalText } from '../columns/column-text.ts'
import type { Table } from '../destination.ts'
import { Float, LongDecimal, parseJson, stringifyJson } from '../../std/json.ts'
import { followPath } from '../../std/values/get-at.ts'
import { cursorColumn } from './compare-cursors.ts'
import { type FilePart, type LineSet, lineSet, readAll } from './lines.ts'

/**
 * Keys and cursors are written to buckets by the hash of the key, then compared bucket by bucket: memory is bounded by
 * the keys in this much of the table, however large it is. Keys and cursors are a small part of the records.
 */
const bytesPerBucket = 64 << 20

/** A record without a key is never outdated. */
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

/** Keeps all digits of long numbers, since keys are made of them. `2` and `2.0` are the same here. */
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

export type Spill = {
  add(bucket: number, text: string): Promise<void>
  /** Everything added to a bucket, in order; call once all is added. */
  read(bucket: number): Promise<string>
  close(): Promise<void>
}

/** How much a bucket buffers before it is written. */
const blockLength = 1 << 16

/** Buckets that are larger than memory together, and small one by one: a file of blocks, and a list of blocks per bucket. */
async function openSpill(path: string, bucketCount: number): Promise<Spill> {
  const file = await open(path, 'wx+')
  const waiting = Array.from({ length: bucketCount }, () => '')
  const blocks = Array.from({ length: bucketCount }, (): { position: number; length: number }[] => [])
  let end = 0
  return {
    async add(bucket, text) {
      const block = `${waiting[bucket]}${text}`
      waiting[bucket] = block
      if (block.length < blockLength) return
      const bytes = Buffer.from(block)
      waiting[bucket] = ''
      blocks[bucket]?.push({ position: end, length: bytes.length })
      end += bytes.length
      await file.writeFile(bytes)
    },
    async read(bucket) {
      const parts: string[] = []
      for (const { position, length } of blocks[bucket] ?? []) {
        const { buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position)
        parts.push(buffer.toString())
      }
      return parts.join('') + (waiting[bucket] ?? '')
    },
    async close() {
      await file.close()
      await rm(path, { force: true })
    },
  }
}
