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
      const { _turnleaf_run: run, _turnleaf_slice: slice, _turnleaf_page: page } = ownFieldsOf(bytes)
      const isOf = ({ runs, fromPage }: RowsOfSlice) => runs.includes(run) && page >= fromPage
      if (bySlice.get(slice)?.some(isOf)) found.add(line)
      line++
    }
  }
  return found
}

type OwnFields = { readonly _turnleaf_run: string; readonly _turnleaf_slice: string; readonly _turnleaf_page: number }

/** They end the line, so the record need not be parsed. Inside a text, the quotes of this would be escaped. */
const ownStart = '"_turnleaf_run":'

function ownFieldsOf(line: Buffer): OwnFields {
  return JSON.parse(`{${line.toString('utf8', line.lastIndexOf(ownStart))}`) as OwnFields
}
