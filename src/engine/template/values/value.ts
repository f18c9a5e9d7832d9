/** The values a template works with: Python's types, held as plain JavaScript wherever that is exact. */
import type { Float } from '../../../std/json.ts'
import type { CalendarDate } from '../dates/calendar-date.ts'
import type { DateTime } from '../dates/date-time.ts'
import type { Duration } from '../dates/duration.ts'
import type { TimeDelta } from '../dates/time-delta.ts'
import type { Zone } from '../dates/zone.ts'
import type { AttributedDict, HeaderDict, HostFunction } from '../host.ts'
import type { Bytes, DictView, Ellipsis, Generator, Namespace, PySet, Tuple, Undefined } from './containers.ts'
import type { Callable } from './callable.ts'
import { kindOf } from './kind.ts'

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

export function isDict(value: unknown): value is Map<Value, Value> | PlainDict {
  return kindOf(value) === 'dict'
}

/** The value, or another when there is none. `??` would not do: null is Python's None, a value like any other. */
export function given(value: Value | undefined, otherwise: Value): Value {
  return value === undefined ? otherwise : value
}
