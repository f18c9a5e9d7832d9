/** JSON objects and lists. */
import { Float } from '../json/exact-numbers.ts'

export type Members = Readonly<Record<string, unknown>>

/** An object that is no list. A float that JavaScript would change is a value, although it is held in an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float)
}

/** An object of no class: dates, tuples and exact floats are values, not objects with members. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
