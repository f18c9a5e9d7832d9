/** Published tables that stand in Parquet files: `FOLDER/orders/orders.parquet`, `orders-2.parquet`, … */
import { join } from 'node:path'
import { type Column, openColumns } from '../columns/columns.ts'
import type { Place } from '../duckdb/schema-handle.ts'
import type { Shelf } from '../duckdb/published-tables.ts'
import { countRows, nameRules } from '../duckdb/target.ts'
import { chooseFileName, foldFileName } from '../file-name.ts'
import { openMoves } from './moves.ts'
import { publishFiles } from './publish-files.ts'
import { rewindFiles } from './rewind-files.ts'
import { holdsAnything, isThere, type TableFiles } from './table-files.ts'
import { rowsOfFiles } from './write-parquet.ts'

type StoredFiles = { readonly columns: readonly Column[]; readonly files: readonly string[] }

export async function filesInFolder(place: Place, folder: string): Promise<Shelf<TableFiles>> {
  const moves = await openMoves(place, folder)
  return {
    chooseName(stream, others) {
      const taken = new Set(others.map(foldFileName))
      return chooseFileName(stream, (folded) => taken.has(folded))
    },
    isTaken: (name) => holdsAnything(join(folder, name)),
    toStored: ({ columns, files }): StoredFiles => ({ columns: columns.all, files }),
    async open(name, stored, schema) {
      const { columns, files } = stored as StoredFiles
      const areThere = await Promise.all(files.map((file) => isThere(join(folder, name, file))))
      const present = files.filter((_, index) => areThere[index])
      return present.length === 0 ? null : { columns: openColumns(columns, schema, nameRules), files: present }
    },
    // A file cannot be added to: rows wait until there is a file's worth of them.
    appendTo: () => Promise.resolve(null),
    publish: (kept, table) => publishFiles({ place, folder, moves }, kept, table),
    rewind: (kept, rows) => rewindFiles({ place, folder, moves }, kept, rows),
    async countRows({ name, live }) {
      if (live === null) return 0
      return await countRows(place, rowsOfFiles(live.files.map((file) => join(folder, name, file))))
    },
    settle: () => moves.finish(),
  }
}
