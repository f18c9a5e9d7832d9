/** AddFields: a record with fields added, objects and lists on the way made where they are missing. */
import { ConnectorError } from '../../std/errors.ts'
import { Float } from '../../std/json.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { AddedFieldPlan, AddFieldsPlan, ValueType } from '../plan/transformations.ts'
import { plainValue } from '../template/plain-value.ts'
import type { Scope } from '../template/template.ts'
import { setAt } from './set-at.ts'

/** Each field sees those added before it. */
export function addFields({ fields, onlyIf, parameters }: AddFieldsPlan, record: JsonRecord, scope: Scope): JsonRecord {
  return fields.reduce((grown, field) => {
    const inner = { ...scope, record: grown }
    const value = fieldValue(field, { ...inner, parameters: field.parameters })
    const asked = { ...inner, parameters, value, path: field.path }
    if (onlyIf !== null && onlyIf.evaluate(asked, 'boolean') !== true) return grown
    return setAt(grown, field.path, value, (reason) => noPlace(field, reason)) as JsonRecord
  }, record)
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
