/** JSON Schema's names for the types of values. */
import { asDouble, isNumber } from '../template/values/value.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'

const tests: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  // Python takes a truth value for a number; a schema does not.
  integer: (value) => typeof value !== 'boolean' && isNumber(value) && Number.isInteger(asDouble(value)),
  number: (value) => typeof value !== 'boolean' && isNumber(value),
  array: isList,
  object: isObject,
}

export function isTypeName(name: unknown): name is string {
  return typeof name === 'string' && Object.hasOwn(tests, name)
}

/** Whether the value has one of the types that the schema names. Without a type, or with one unknown, anything fits. */
export function isOfType(value: unknown, { type }: Members): boolean {
  const names = [type ?? []].flat()
  return names.length === 0 || names.some((name) => !isTypeName(name) || tests[name]?.(value))
}

/** The name for the type of a value. */
export function typeName(value: unknown): string {
  return Object.keys(tests).find((name) => tests[name]?.(value)) ?? typeof value
}
