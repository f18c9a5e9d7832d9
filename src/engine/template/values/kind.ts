/** Which of Python's types a value has; known without the classes themselves, which build on this. */
import { Float } from '../../../std/json.ts'

export type ValueKind =
  | 'none'
  | 'bool'
  | 'int'
  | 'float'
  | 'str'
  | 'list'
  | 'tuple'
  | 'set'
  | 'bytes'
  | 'ellipsis'
  | 'datetime'
  | 'date'
  | 'timedelta'
  | 'duration'
  | 'zone'
  | 'namespace'
  | 'undefined'
  | 'callable'
  | 'view'
  | 'generator'
  | 'mapping'
  | 'dict'

/** Our classes carry their kind under this symbol: no JSON key can pretend to be one. */
export const kind: unique symbol = Symbol('kind')

export function kindOf(value: unknown): ValueKind {
  switch (typeof value) {
    case 'string':
      return 'str'
    case 'number':
      return Number.isSafeInteger(value) ? 'int' : 'float'
    case 'boolean':
      return 'bool'
    case 'bigint':
      return 'int'
    case 'object':
      if (value === null) return 'none'
      if (Array.isArray(value)) return 'list'
      if (value instanceof Float) return 'float'
      return (value as { readonly [kind]?: ValueKind })[kind] ?? 'dict'
    case 'function':
    case 'symbol':
    case 'undefined':
      return 'undefined'
  }
}

const pythonNames: Partial<Record<ValueKind, string>> = {
  none: 'None',
  view: 'dict view',
  mapping: 'mapping',
  callable: 'function',
}

/** The type as Python's messages name it. */
export function typeName(value: unknown): string {
  const found = kindOf(value)
  return pythonNames[found] ?? found
}

/** bool is an int, as in Python. */
export function isInt(value: unknown): value is number | bigint | boolean {
  return typeof value === 'boolean' || typeof value === 'bigint' || Number.isSafeInteger(value)
}

export function isNumber(value: unknown): value is number | bigint | boolean | Float {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' || value instanceof Float
}

/** A number, as JavaScript's double. */
export function asDouble(value: number | bigint | boolean | Float): number {
  return typeof value === 'number' ? value : Number(value)
}
