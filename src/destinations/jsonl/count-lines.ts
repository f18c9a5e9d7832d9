/** How many lines a stream has in its file, and how many are staged. */
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { TableRows } from '../destination.ts'
import { withFile } from '../file-errors.ts'
import type { Ledger } from './ledger.ts'
import type { FilePart } from './lines.ts'
import { type Places, stagedTable } from './places.ts'
import { sizeOf } from './refuse-changed.ts'

export async function countLines(places: Places, { state }: Ledger, stream: string): Promise<TableRows> {
  const files = state.tables.get(stream)
  const { live = null, staged = null } = files ?? {}
  if (files === undefined) return { published: 0, staged: 0, stagedAs: null }
  const lines = staged === null ? 0 : await linesIn({ path: join(places.staged, staged.file), length: staged.length })
  return {
    published: live === null ? 0 : await linesIn({ path: join(places.folder, files.file), length: live.length }),
    staged: lines,
    // Of a file without lines a query would not know the columns.
    stagedAs: lines === 0 ? null : stagedTable(files.file),
  }
}

/** Line breaks, not records: nothing is parsed. A file that was deleted has none. */
async function linesIn({ path, length }: FilePart): Promise<number> {
  return await withFile(path, async () => {
    if (length === 0 || (await sizeOf(path)) === null) return 0
    let lines = 0
    for await (const chunk of createReadStream(path, { end: length - 1 }) as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
    }
    return lines
  })
}
