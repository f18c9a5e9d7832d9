/** The columns of two tables → those of the one that holds the rows of both. */
import { chooseName, foldName } from '../columns/column-name.ts'
import { join } from '../columns/column-type.ts'
import type { Column, ColumnChanges, Columns } from '../columns/columns.ts'
import { ownColumns } from '../destination.ts'
import { nameRules } from './target.ts'

/** Each as wide as either needs it, under the name that it has in `into`; and how `into` must change for it. */
export function mergeColumns(
  into: Columns,
  from: Columns,
): { readonly columns: readonly Column[]; readonly changes: ColumnChanges } {
  const columns = into.all.map((column) => ({ ...column }))
  const added: Column[] = []
  const widened: ColumnChanges['widened'][number][] = []
  for (const { key, type, isUsed } of from.all) {
    const column = columns.find((other) => other.key === key)
    if (column === undefined) {
      const taken = new Set([...ownColumns, ...columns.map(({ name }) => foldName(name, nameRules))])
      const name = chooseName(key, nameRules, (folded) => taken.has(folded))
      const fresh = { key, name, type, isUsed }
      columns.push(fresh)
      added.push(fresh)
    } else if (isUsed) {
      const { type: narrow, isUsed: wasUsed } = column
      column.type = wasUsed ? join(narrow, type) : type
      column.isUsed = true
      if (column.type !== narrow) widened.push({ column, from: narrow, wasUsed })
    }
  }
  return { columns, changes: { added, widened } }
}
