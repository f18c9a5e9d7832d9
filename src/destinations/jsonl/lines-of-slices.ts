/** Lines of a table → those that hold rows of certain slices, from a page on. */
import type { RowsOfSlice } from '../destination.ts'
import { type FilePart, readLines } from './lines.ts'
import { type LineSet, lineSet } from './line-set.ts'

/** All slices in one pass: a read that is taken back may have a hundred thousand. */
export async function linesOfSlices(part: FilePart, all: readonly RowsOfSlice[]): Promise<LineSet> {
  const bySlice = new Map<string, RowsOfSlice[]>()
  for (const rows of all) bySlice.set(rows.slice, [...(bySlice.get(rows.slice) ?? []), rows])
  const found = lineSet()
  let line = 0
  for await (const lines of readLines(part)) {
    for (const bytes of lines) {
      const row = ownFieldsOf(bytes)
      const isOf = ({ runs, fromPage }: RowsOfSlice) => runs.includes(row.run) && row.page >= fromPage
      if (bySlice.get(row.slice)?.some(isOf)) found.add(line)
      line++
    }
  }
  return found
}

/** They end the line, so the record need not be parsed. Inside a text, the quotes of this would be escaped. */
const ownStart = '"_turnleaf_run":'

function ownFieldsOf(line: Buffer): { run: string; slice: string; page: number } {
  const start = line.lastIndexOf(ownStart)
  const fields = JSON.parse(`{${line.toString('utf8', start)}`) as Record<string, never>
  return { run: fields._turnleaf_run ?? '', slice: fields._turnleaf_slice ?? '', page: fields._turnleaf_page ?? 0 }
}
