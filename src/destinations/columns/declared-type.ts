/** JSON Schema of a field → the type of its column. */
import type { ColumnType } from './column-type.ts'
import { join } from './column-type.ts'

/** Null where the schema does not say: the first value then tells. */
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
