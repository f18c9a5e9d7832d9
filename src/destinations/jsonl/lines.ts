/** Records → lines of JSON, and the lines of files. */
import { open, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { chooseName } from '../columns/column-name.ts'
import { jsonText } from '../columns/column-text.ts'
import { type RowsOfSlice, sourceColumns, type TablePage } from '../destination.ts'
import { lineChunks } from '../line-chunks.ts'
import { ChangedTable } from '../refused-data.ts'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import { errorCode } from '../../std/disk/disk-error.ts'
import { setMember } from '../../std/values/set-member.ts'
import { stagedFolder } from './paths.ts'

/** About a megabyte at a time: few writes, bounded memory. */
const chunkLength = 1 << 20

/** The lines of the pages: each record as the API sent it, followed by the fields `_turnleaf_…`. */
export function jsonLines(pages: readonly TablePage[]): Generator<Buffer> {
  return lineChunks(linesOf(pages), chunkLength)
}

function* linesOf(pages: readonly TablePage[]): Generator<string> {
  for (const page of pages) {
    const end = sourceFields(page)
    for (const record of page.records) {
      const hasSourceName = sourceColumns.some((name) => name in record)
      const text = jsonText(hasSourceName ? withoutSourceNames(record) : record)
      yield text === '{}' ? `{${end}` : `${text.slice(0, -1)},${end}`
    }
  }
}

/** The end of each line of a page, closing bracket and line break included: made once per page. */
function sourceFields({ extractedAt, run, slice, page }: TablePage): string {
  const values = [new Date(extractedAt).toISOString(), run, slice, page]
  return `${sourceColumns.map((name, index) => `"${name}":${JSON.stringify(values[index])}`).join(',')}}\n`
}

/** A field of the record named `_turnleaf_…` keeps its value under another name, as in a table. */
function withoutSourceNames(record: JsonRecord): JsonRecord {
  const renamed: JsonRecord = {}
  const own = new Set<string>(sourceColumns)
  const isTaken = (name: string) => own.has(name) || name in record || name in renamed
  for (const [key, value] of Object.entries(record)) {
    const name = own.has(key) ? chooseName(key, { maxBytes: Infinity, isCaseSensitive: true }, isTaken) : key
    setMember(renamed, name, value)
  }
  return renamed
}

/** The committed part of a file: what follows does not count. */
export type FilePart = { readonly path: string; readonly length: number }

/** The lines of a file, each with its line break, in chunks. */
export async function* readLines({ path, length }: FilePart, from = 0): AsyncGenerator<readonly Buffer[]> {
  const file = await open(path, 'r')
  try {
    let rest: Buffer = Buffer.alloc(0)
    for (let position = from; position < length; ) {
      // A line may be longer than a chunk; doubling the size limits copying.
      const wanted = Math.min(Math.max(chunkLength, rest.length), length - position)
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, position)
      if (bytesRead === 0) break
      position += bytesRead
      const chunk = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
      const lines = linesIn(chunk)
      rest = chunk.subarray(lines.reduce((sum, line) => sum + line.length, 0))
      if (lines.length > 0) yield lines
    }
    if (rest.length > 0) yield [rest]
  } finally {
    await file.close()
  }
}

/** The lines of several files, one after the other. */
export async function* readAll(parts: readonly FilePart[]): AsyncGenerator<readonly Buffer[]> {
  for (const part of parts) yield* readLines(part)
}

function linesIn(chunk: Buffer): Buffer[] {
  const lines: Buffer[] = []
  let start = 0
  for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
    lines.push(chunk.subarray(start, end + 1))
    start = end + 1
  }
  return lines
}

/** A set of line numbers, one bit each: a hundred million lines are 12 MB. */
export type LineSet = { readonly size: number; add(line: number): void; has(line: number): boolean }

export function lineSet(): LineSet {
  let bits = new Uint8Array(1024)
  let size = 0
  const has = (line: number) => ((bits[line >>> 3] ?? 0) & (1 << (line & 7))) !== 0
  return {
    get size() {
      return size
    },
    has,
    add(line) {
      if (has(line)) return
      const index = line >>> 3
      if (index >= bits.length) {
        const grown = new Uint8Array(Math.max(bits.length * 2, index + 1))
        grown.set(bits)
        bits = grown
      }
      bits[index] = (bits[index] ?? 0) | (1 << (line & 7))
      size++
    },
  }
}

/** The lines of all given slices, in one pass: a read that is rolled back may have a hundred thousand. */
export async function linesOfSlices(part: FilePart, all: readonly RowsOfSlice[]): Promise<LineSet> {
  const bySlice = new Map<string, RowsOfSlice[]>()
  for (const rows of all) bySlice.set(rows.slice, [...(bySlice.get(rows.slice) ?? []), rows])
  const found = lineSet()
  let line = 0
  for await (const lines of readLines(part)) {
    for (const bytes of lines) {
      const { _turnleaf_run: run, _turnleaf_slice: slice, _turnleaf_page: page } = sourceFieldsOf(bytes)
      const isOf = ({ runs, fromPage }: RowsOfSlice) => runs.includes(run) && page >= fromPage
      if (bySlice.get(slice)?.some(isOf)) found.add(line)
      line++
    }
  }
  return found
}

type SourceFields = {
  readonly _turnleaf_run: string
  readonly _turnleaf_slice: string
  readonly _turnleaf_page: number
}

/** These fields end the line, so the record need not be parsed. Inside a string, these quotes would be escaped. */
const ownStart = '"_turnleaf_run":'

function sourceFieldsOf(line: Buffer): SourceFields {
  return JSON.parse(`{${line.toString('utf8', line.lastIndexOf(ownStart))}`) as SourceFields
}

/** Refuses a file that was changed: lines that a user added must not be dropped. @param size its length now; null when it is gone. */
export function refuseChanged(path: string, length: number, size: number | null): void {
  if (size === length) return
  const there = size === null ? 'is gone' : `has ${size} bytes`
  const message = `${path} ${there}, and the last sync left ${length}: it was changed by something else.`
  const isLonger = size !== null && size > length
  throw new ChangedTable(message, kindOf(path), {
    ...(isLonger && { hint: `Move what follows byte ${length} to another file; then run again.` }),
  })
}

/** Runs `use` on lines that a sync wrote: one that is not JSON was changed by something else. */
export async function refuseEdited<T>(path: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const message = `${path} has a line that no sync has written: it was changed by something else.`
    throw new ChangedTable(message, kindOf(path), { cause: error })
  }
}

function kindOf(path: string): 'live' | 'staged' {
  return basename(dirname(path)) === stagedFolder ? 'staged' : 'live'
}

/** Null when there is no such file. */
export async function fileSize(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
