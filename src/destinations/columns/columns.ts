/** The columns of a table, as its records make them: new fields get one, values that do not fit make one wider. */
import type { JsonRecord, JsonSchema } from '../../engine/plan/plan.ts'
import { sourceColumns } from '../destination.ts'
import { chooseName, foldName, type NameRules } from './column-name.ts'
import { type ColumnType, fits, join, typeOfTime, typeOfValue } from './column-type.ts'
import { declaredType } from './declared-type.ts'

/** Plain JSON, to be kept beside the table. */
export type Column = {
  /** The field of the record. */
  readonly key: string
  /** What it is called in the database. */
  readonly name: string
  type: ColumnType
  /** Whether it holds anything but nulls: until then it may become anything. */
  isUsed: boolean
}

/** What must be done to the table before the records fit. */
export type ColumnChanges = {
  readonly added: readonly Column[]
  readonly widened: readonly { readonly column: Column; readonly from: ColumnType; readonly wasUsed: boolean }[]
}

export type Columns = {
  /** In the order in which they came. The table's own columns, `_turnleaf_…`, are not among them. */
  readonly all: readonly Column[]
  /** The column of a field, once a record had it. */
  of(key: string): Column | undefined
  /** Makes room for the records of one or more pages. */
  makeRoom(records: Iterable<JsonRecord>): ColumnChanges
}

/**
 * @param known the columns that the table has; null for a table that is to be made: it starts with those that the
 * schema declares.
 */
export function openColumns(known: readonly Column[] | null, schema: JsonSchema | null, rules: NameRules): Columns {
  const all: Column[] = []
  const byKey = new Map<string, Column>()
  const taken = new Set(sourceColumns.map((name) => foldName(name, rules)))
  const declared = propertiesOf(schema)
  const keep = (column: Column) => {
    all.push(column)
    byKey.set(column.key, column)
    taken.add(foldName(column.name, rules))
    return column
  }
  const add = (key: string, type: ColumnType, isUsed: boolean) => {
    const name = chooseName(key, rules, (folded) => taken.has(folded))
    return keep({ key, name, type, isUsed })
  }
  if (known === null) {
    for (const [key, field] of declared) {
      const type = declaredType(field)
      if (type !== null) add(key, type, false)
    }
  } else for (const column of known) keep({ ...column })

  return {
    all,
    of: (key) => byKey.get(key),
    makeRoom(records) {
      const added: Column[] = []
      const widened = new Map<Column, { column: Column; from: ColumnType; wasUsed: boolean }>()
      for (const record of records) {
        for (const key in record) {
          const value = record[key]
          if (value === null || value === undefined) continue
          const column = byKey.get(key)
          if (column === undefined) added.push(add(key, firstType(declared.get(key), value), true))
          else if (!fits(column.type, value)) {
            const { type: from, isUsed: wasUsed } = column
            if (!widened.has(column) && !added.includes(column)) widened.set(column, { column, from, wasUsed })
            column.type = wasUsed ? join(from, typeOfValue(value)) : typeLike(from, value)
            column.isUsed = true
          } else column.isUsed = true
        }
      }
      return { added, widened: [...widened.values()] }
    },
  }
}

function firstType(schema: unknown, value: unknown): ColumnType {
  const declared = declaredType(schema)
  return declared !== null && fits(declared, value) ? declared : typeOfValue(value)
}

/** The type of a first value where another was declared: a time may be of another kind than the schema says. */
function typeLike(declared: ColumnType, value: unknown): ColumnType {
  const isTime = declared === 'date' || declared === 'timestamp' || declared === 'timestamptz'
  return isTime && typeof value === 'string' ? typeOfTime(value) : typeOfValue(value)
}

function propertiesOf(schema: JsonSchema | null): ReadonlyMap<string, unknown> {
  const properties = schema?.properties
  return new Map(typeof properties === 'object' && properties !== null ? Object.entries(properties) : [])
}
