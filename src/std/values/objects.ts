/** JSON objects and lists. */
import { Float } from '../json.ts'

export type Members = Readonly<Record<string, unknown>>

/** A float that JavaScript would change is a value, although it is held in an object. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float)
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
