/** The values a template works with: Python's types, held as plain JavaScript wherever that is exact. */
import { Float } from '../../../std/json.ts'
import type { CalendarDate } from '../dates/calendar-date.ts'
import type { DateTime } from '../dates/date-time.ts'
import type { Duration } from '../dates/duration.ts'
import type { TimeDelta } from '../dates/time-delta.ts'
import type { Zone } from '../dates/zone.ts'
import type { AttributedDict, HeaderDict, HostFunction } from '../host.ts'
import type { Bytes, DictView, Ellipsis, Generator, Namespace, PySet, Tuple, Undefined } from './containers.ts'
import type { Callable } from './callable.ts'

/** Own keys only; what came from JSON, and what a template gives back. */
export type PlainDict = { readonly [key: string]: unknown }

/**
 * None is null. An int is a safe integer, or a bigint beyond. A float is any other number, or a `Float` when whole
 * or longer than a double.
 * A dict is a plain object, or a Map when a template made it.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | Value[]
  | Tuple
  | PySet
  | Bytes
  | Ellipsis
  | DateTime
  | CalendarDate
  | TimeDelta
  | Duration
  | Zone
  | Namespace
  | Undefined
  | Callable
  | DictView
  | Generator
  | AttributedDict
  | HeaderDict
  | HostFunction
  | Map<Value, Value>
  | PlainDict

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

export function isDict(value: unknown): value is Map<Value, Value> | PlainDict {
  return kindOf(value) === 'dict'
}

/** The value, or another when there is none. `??` would not do: null is Python's None, a value like any other. */
export function given(value: Value | undefined, otherwise: Value): Value {
  return value === undefined ? otherwise : value
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
