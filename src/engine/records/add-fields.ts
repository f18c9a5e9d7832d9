/** AddFields: a record with fields added, objects and lists on the way made where they are missing. */
import { ConnectorError } from '../../std/errors.ts'
import { Float } from '../../std/json.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { AddFieldsPlan, AddedFieldPlan, ValueType } from '../plan/transformations.ts'
import { plainValue } from '../template/plain-value.ts'
import type { Scope } from '../template/template.ts'
import { describeValue } from '../template/text.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import { setMember } from '../../std/values/set-member.ts'

/** Each field sees those added before it. */
export function addFields({ fields, onlyIf, parameters }: AddFieldsPlan, record: JsonRecord, scope: Scope): JsonRecord {
  let grown = record
  let isCopy = false
  for (const field of fields) {
    const { path } = field
    const value = fieldValue(field, { ...scope, record: grown, parameters: field.parameters })
    if (onlyIf !== null) {
      const asked = { ...scope, record: grown, parameters, value, path }
      if (onlyIf.evaluate(asked, 'boolean') !== true) continue
    }
    const [name] = path
    // One copy of the record serves all such fields. A value that is an object may hold the record as it was.
    if (isCopy && path.length === 1 && name !== undefined && typeof value !== 'object') setMember(grown, name, value)
    else {
      grown = setAt(grown, path, value, (reason) => noPlace(field, reason)) as JsonRecord
      isCopy = path.length > 0
    }
  }
  return grown
}

/** Airbyte: with `value_type`, a result of another type stays the text it was. */
export function fieldValue({ value, type }: Pick<AddedFieldPlan, 'value' | 'type'>, scope: Scope): unknown {
  if (type === 'string') return plainValue(value.evaluate(scope, 'str_typed') ?? null)
  const evaluated = value.evaluate(scope)
  return type === null || isOfType(evaluated, type) ? plainValue(evaluated ?? null) : value.render(scope)
}

function isOfType(value: unknown, type: Exclude<ValueType, 'string'>): boolean {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
      // Python: True and False are integers.
      return typeof value === 'bigint' || typeof value === 'boolean' || Number.isSafeInteger(value)
    case 'number':
      return value instanceof Float || (typeof value === 'number' && !Number.isSafeInteger(value))
  }
}

function noPlace(field: AddedFieldPlan, reason: string): ConnectorError {
  const message = `AddFields cannot put a value at \`${field.path.join('.')}\`: ${reason}.`
  return new ConnectorError('records/no-place', message, { at: field.at })
}

/** `refuse` makes the error for a path that is blocked by another value. Lists are padded with null. */
export function setAt(
  target: unknown,
  path: readonly string[],
  value: unknown,
  refuse: (reason: string) => Error,
): unknown {
  return set(target, 0)

  function set(held: unknown, depth: number): unknown {
    const name = path[depth]
    if (name === undefined) return value
    if (isList(held)) {
      const index = positionOf(name, refuse)
      const padding = Array.from({ length: Math.max(0, index + 1 - held.length) }, () => null)
      return [...held, ...padding].with(index, set(index < held.length ? held[index] : missing(depth + 1), depth + 1))
    }
    if (!isObject(held)) throw refuse(`\`${path.slice(0, depth).join('.')}\` holds ${describeValue(held)}`)
    return { ...held, [name]: set(Object.hasOwn(held, name) ? held[name] : missing(depth + 1), depth + 1) }
  }

  /** What is created where the path continues and there is no value: a list for a number, else an object. */
  function missing(depth: number): unknown {
    return isPosition(path[depth]) ? [] : {}
  }
}

function isPosition(name: string | undefined): boolean {
  return name !== undefined && /^\d+$/.test(name)
}

/** Padding a list with more nulls than this is a mistake. */
const maxPosition = 10_000

function positionOf(name: string, refuse: (reason: string) => Error): number {
  if (isPosition(name) && Number(name) <= maxPosition) return Number(name)
  throw refuse(`\`${name}\` is not a position in a list`)
}
