/** The columns of a table: new fields add a column, values that do not fit widen one. */
import { sourceColumns } from '../destination.ts'
import type { JsonRecord, JsonSchema } from '../../engine/plan/plan.ts'
import { chooseName, foldName, type NameRules } from './column-name.ts'
import { type ColumnType, fits, isTimeType, join, typeOfTime, typeOfValue } from './column-type.ts'

/** Plain JSON, stored with the table. */
export type Column = {
  /** The field of the record. */
  readonly key: string
  /** Its name in the database. */
  readonly name: string
  type: ColumnType
  /** Whether it holds anything but nulls: until then it can take any type. */
  isUsed: boolean
  /** A text column that was one of times, or is declared as one: times in it are spelled in one way. */
  wasTime?: true
}

/** Changes that the table needs before the records fit. */
export type ColumnChanges = {
  readonly added: readonly Column[]
  readonly widened: readonly { readonly column: Column; readonly from: ColumnType; readonly wasUsed: boolean }[]
}

export type Columns = {
  /** In order of arrival, without the columns `_turnleaf_…`. */
  readonly all: readonly Column[]
  /** The column of a field, once a record had it. */
  of(key: string): Column | undefined
  /** Adds and widens columns for the records of one or more pages. */
  makeRoom(records: Iterable<JsonRecord>): ColumnChanges
}

/**
 * @param known the columns of the table; null for a new table, which starts with the columns that the
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
  const widen = (column: Column, type: ColumnType) => {
    if (type === 'text' && isTimeType(column.type)) column.wasTime = true
    column.type = type
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
          if (column === undefined) {
            const first = declaredType(declared.get(key)) ?? typeOfValue(value)
            const fresh = add(key, first, true)
            if (!fits(first, value)) widen(fresh, typeOfValue(value))
            added.push(fresh)
          } else if (!fits(column.type, value)) {
            const { type: from, isUsed: wasUsed } = column
            if (!widened.has(column) && !added.includes(column)) widened.set(column, { column, from, wasUsed })
            widen(column, wasUsed ? join(from, typeOfValue(value)) : typeLike(from, value))
            column.isUsed = true
          } else column.isUsed = true
        }
      }
      return { added, widened: [...widened.values()] }
    },
  }
}

/** The type of a first value that does not fit its declared type: a time may be of another kind than the schema says. */
function typeLike(declared: ColumnType, value: unknown): ColumnType {
  return isTimeType(declared) && typeof value === 'string' ? typeOfTime(value) : typeOfValue(value)
}

function propertiesOf(schema: JsonSchema | null): ReadonlyMap<string, unknown> {
  const properties = schema?.properties
  return new Map(typeof properties === 'object' && properties !== null ? Object.entries(properties) : [])
}

/** Null where the schema does not say: the first value decides. */
export function declaredType(schema: unknown): ColumnType | null {
  if (typeof schema !== 'object' || schema === null) return null
  const { type, format, airbyte_type: airbyteType } = schema as Readonly<Record<string, unknown>>
  const names = (Array.isArray(type) ? type : [type]).filter((name) => name !== 'null')
  const types = names.map((name) => typeNamed(name, format, airbyteType))
  const [first, ...others] = types
  if (first === undefined || first === null) return null
  return others.reduce<ColumnType | null>((all, one) => (all === null || one === null ? null : join(all, one)), first)
}

function typeNamed(name: unknown, format: unknown, airbyteType: unknown): ColumnType | null {
  switch (name) {
    case 'boolean':
      return 'boolean'
    case 'integer':
      return 'int'
    case 'number':
      return airbyteType === 'integer' ? 'int' : airbyteType === 'big_number' ? 'decimal' : 'double'
    case 'object':
    case 'array':
      return 'json'
    case 'string':
      return textType(format, airbyteType)
    default:
      return null
  }
}

function textType(format: unknown, airbyteType: unknown): ColumnType {
  if (format === 'date') return 'date'
  if (format !== 'date-time') return 'text'
  return airbyteType === 'timestamp_without_timezone' ? 'timestamp' : 'timestamptz'
}
