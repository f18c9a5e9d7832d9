/** Two tables of one stream → the changes to both that make their rows fit. */
import { chooseName, foldName, type NameRules } from './column-name.ts'
import { isTimeType, join, type ColumnType } from './column-type.ts'
import type { Column, ColumnChanges } from './columns.ts'
import { sourceColumns } from '../destination.ts'

export type MatchedColumns = {
  /** The columns of the table that receives the rows, and its changes. */
  readonly into: readonly Column[]
  readonly intoChanges: ColumnChanges
  /** The columns of the table that the rows come from: the same types, possibly other names. */
  readonly from: readonly Column[]
  readonly fromChanges: ColumnChanges
}

export function matchColumns(into: readonly Column[], from: readonly Column[], rules: NameRules): MatchedColumns {
  const matched = new Map(into.map((column) => [column.key, column]))
  const taken = new Set([...sourceColumns, ...into.map(({ name }) => name)].map((name) => foldName(name, rules)))
  const added: Column[] = []
  for (const column of from) {
    const there = matched.get(column.key)
    if (there !== undefined) {
      const type = settle(there, column)
      const isUsed = there.isUsed || column.isUsed
      matched.set(column.key, { ...there, type, isUsed, ...(wereTimes(type, there, column) && { wasTime: true }) })
      continue
    }
    const name = chooseName(column.name, rules, (folded) => taken.has(folded))
    taken.add(foldName(name, rules))
    const copy = { ...column, name }
    added.push(copy)
    matched.set(column.key, copy)
  }
  const fromMatched = from.map((column) => ({ ...column, type: matched.get(column.key)?.type ?? column.type }))
  return {
    into: [...matched.values()],
    intoChanges: { added, widened: widened(into, [...matched.values()]) },
    from: fromMatched,
    fromChanges: { added: [], widened: widened(from, fromMatched) },
  }
}

function wereTimes(type: ColumnType, ...columns: readonly Column[]): boolean {
  return type === 'text' && columns.some((one) => one.wasTime === true || isTimeType(one.type))
}

/** A column that holds only nulls takes the type of the other. */
function settle(one: Column, other: Column): ColumnType {
  if (!other.isUsed) return one.type
  return one.isUsed ? join(one.type, other.type) : other.type
}

function widened(before: readonly Column[], after: readonly Column[]): ColumnChanges['widened'] {
  return before.flatMap(({ type: from, isUsed: wasUsed }, index) => {
    const column = after[index]
    return column === undefined || column.type === from ? [] : [{ column, from, wasUsed }]
  })
}
