/** AddFields: a record with fields added, objects and lists on the way made where they are missing. */
import { ConnectorError } from '../../errors.ts'
import { Float } from '../../json.ts'
import type { AddedFieldPlan, AddFieldsPlan, JsonRecord, ValueType } from '../plan/plan.ts'
import { plainValue } from '../template/plain-value.ts'
import type { Scope } from '../template/template.ts'
import { describeValue } from '../template/text.ts'
import { isList, isObject } from './members.ts'

/** Each field sees those added before it. */
export function addFields({ fields, onlyIf, parameters }: AddFieldsPlan, record: JsonRecord, scope: Scope): JsonRecord {
  return fields.reduce((grown, field) => {
    const inner = { ...scope, record: grown }
    const value = fieldValue(field, { ...inner, parameters: field.parameters })
    const asked = { ...inner, parameters, value, path: field.path }
    if (onlyIf !== null && onlyIf.evaluate(asked, 'boolean') !== true) return grown
    return setAt(grown, field, 0, value) as JsonRecord
  }, record)
}

/** Airbyte: with `value_type`, a result of another type stays the text it was. */
function fieldValue({ value, type }: AddedFieldPlan, scope: Scope): unknown {
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

/** A copy with the value at the path, from its `depth`th name on. Lists are padded with null. */
function setAt(target: unknown, field: AddedFieldPlan, depth: number, value: unknown): unknown {
  const name = field.path[depth]
  if (name === undefined) return value
  if (isList(target)) {
    const index = positionOf(name, field)
    const padding = Array.from({ length: Math.max(0, index + 1 - target.length) }, () => null)
    const held = index < target.length ? target[index] : missing(field, depth + 1)
    return [...target, ...padding].with(index, setAt(held, field, depth + 1, value))
  }
  if (!isObject(target)) throw inTheWay(field, depth, target)
  const held = Object.hasOwn(target, name) ? target[name] : missing(field, depth + 1)
  return { ...target, [name]: setAt(held, field, depth + 1, value) }
}

/** What is made where the path leads on and nothing stands: a list for a number, else an object. */
function missing(field: AddedFieldPlan, depth: number): unknown {
  return isPosition(field.path[depth]) ? [] : {}
}

function isPosition(name: string | undefined): boolean {
  return name !== undefined && /^\d+$/.test(name)
}

/** Nobody means to pad a record with more nulls than this. */
const maxPosition = 10_000

function positionOf(name: string, field: AddedFieldPlan): number {
  if (isPosition(name) && Number(name) <= maxPosition) return Number(name)
  throw noPlace(field, `\`${name}\` is no position in a list`)
}

function inTheWay(field: AddedFieldPlan, depth: number, met: unknown): ConnectorError {
  return noPlace(field, `\`${field.path.slice(0, depth).join('.')}\` holds ${describeValue(met)}`)
}

function noPlace(field: AddedFieldPlan, reason: string): ConnectorError {
  const message = `AddFields cannot put a value at \`${field.path.join('.')}\`: ${reason}.`
  return new ConnectorError('records/no-place', message, { at: field.at })
}
