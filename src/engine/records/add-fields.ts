/** AddFields: a record with fields added, objects and lists on the way made where they are missing. */
import { ConnectorError } from '../../std/errors.ts'
import { Float } from '../../std/json.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { AddFieldsPlan, AddedFieldPlan, ValueType } from '../plan/transformations.ts'
import { plainValue } from '../template/plain-value.ts'
import type { Scope } from '../template/template.ts'
import { describeValue } from '../template/text.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import type { RecordCopy } from './record-copy.ts'
import { type PageScope, scopeOfRecord } from './record-scope.ts'

/** Each field sees those added before it. */
export function addFields({ fields, onlyIf, parameters }: AddFieldsPlan, copy: RecordCopy, scope: PageScope): void {
  for (const field of fields) {
    const { path } = field
    const value = fieldValue(field, scopeOfRecord(scope, field.parameters, copy.record))
    if (onlyIf !== null) {
      const asked = { ...scopeOfRecord(scope, parameters, copy.record), value, path }
      if (onlyIf.evaluate(asked, 'boolean') !== true) continue
    }
    const [name] = path
    const refuse = (reason: string) => noPlace(field, reason)
    if (name === undefined) copy.replace(value as JsonRecord)
    else copy.set(name, memberAt(copy.record, path, value, refuse))
  }
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

type Refuse = (reason: string) => Error

/**
 * A copy with the value at the path. `refuse` makes the error for a path that is blocked by another value. Lists are padded
 * with null. `depth`: how many names of the path lead to what is held.
 */
export function setAt(held: unknown, path: readonly string[], value: unknown, refuse: Refuse, depth = 0): unknown {
  const name = path[depth]
  if (name === undefined) return value
  if (isList(held)) {
    const index = positionOf(name, refuse)
    const padding = Array.from({ length: Math.max(0, index + 1 - held.length) }, () => null)
    const item = index < held.length ? held[index] : missing(path[depth + 1])
    return [...held, ...padding].with(index, setAt(item, path, value, refuse, depth + 1))
  }
  if (!isObject(held)) throw refuse(`\`${path.slice(0, depth).join('.')}\` holds ${describeValue(held)}`)
  return { ...held, [name]: memberAt(held, path, value, refuse, depth) }
}

/** The member that the path leads through, with the value in it. */
function memberAt(held: Members, path: readonly string[], value: unknown, refuse: Refuse, depth = 0): unknown {
  const name = path[depth] as string
  const member = Object.hasOwn(held, name) ? held[name] : missing(path[depth + 1])
  return setAt(member, path, value, refuse, depth + 1)
}

/** What is created where the path continues and there is no value: a list for a number, else an object. */
function missing(next: string | undefined): unknown {
  return isPosition(next) ? [] : {}
}

function isPosition(name: string | undefined): boolean {
  return name !== undefined && /^\d+$/.test(name)
}

/** Padding a list with more nulls than this is a mistake. */
const maxPosition = 10_000

function positionOf(name: string, refuse: Refuse): number {
  if (isPosition(name) && Number(name) <= maxPosition) return Number(name)
  throw refuse(`\`${name}\` is not a position in a list`)
}
