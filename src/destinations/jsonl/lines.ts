/** Records → lines of JSON, and lines as they stand in a file. */
import { open } from 'node:fs/promises'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import { setOwn } from '../../std/json.ts'
import { chooseName } from '../columns/column-name.ts'
import { jsonText } from '../columns/json-text.ts'
import { type TablePage, sourceColumns } from '../destination.ts'

/** Few writes, and no text larger than needed: about a megabyte at a time. */
const chunkLength = 1 << 20

/** The lines of the pages, each record as the API gave it with the table's own fields behind. */
export function* linesOf(pages: readonly TablePage[]): Generator<Buffer> {
  let text = ''
  for (const page of pages) {
    const end = ownFields(page)
    for (const record of page.records) {
      const hasOwnName = sourceColumns.some((name) => name in record)
      const line = jsonText(hasOwnName ? withoutOwnNames(record) : record)
      text += line === '{}' ? `{${end}` : `${line.slice(0, -1)},${end}`
      if (text.length < chunkLength) continue
      yield Buffer.from(text)
      text = ''
    }
  }
  if (text !== '') yield Buffer.from(text)
}

/** The same for all records of a page, so it is written once; with the bracket and the break that end the line. */
function ownFields({ extractedAt, run, slice, page }: TablePage): string {
  const values = [new Date(extractedAt).toISOString(), run, slice, page]
  return `${sourceColumns.map((name, index) => `"${name}":${JSON.stringify(values[index])}`).join(',')}}\n`
}

/** A field of the record that is called as one of ours keeps its value under another name, as a column would. */
function withoutOwnNames(record: JsonRecord): JsonRecord {
  const renamed: JsonRecord = {}
  const own = new Set<string>(sourceColumns)
  const isTaken = (name: string) => own.has(name) || name in record || name in renamed
  for (const [key, value] of Object.entries(record)) {
    const name = own.has(key) ? chooseName(key, { maxBytes: Infinity, tellsCaseApart: true }, isTaken) : key
    setOwn(renamed, name, value)
  }
  return renamed
}

/** So much of a file counts: what follows is not committed. */
export type FilePart = { readonly path: string; readonly length: number }

/** The lines of a file, each with its line break, some at a time. */
export async function* readLines({ path, length }: FilePart, from = 0): AsyncGenerator<readonly Buffer[]> {
  const file = await open(path, 'r')
  try {
    let rest: Buffer = Buffer.alloc(0)
    for (let position = from; position < length; ) {
      // A line may be longer than a chunk; reading twice as much each time keeps the copying small.
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
