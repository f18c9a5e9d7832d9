/** One record → the same record with fields added or removed; the record the API sent stays as it was. */
import type { JsonRecord, TransformationPlan, ValueType } from '../plan/plan.ts'
import type { Scope, Template } from '../template/template.ts'
import { plainValue } from '../template/plain-value.ts'
import { pythonText } from '../template/text.ts'
import { Float } from '../../json.ts'

export function transformRecord(plans: readonly TransformationPlan[], record: JsonRecord, scope: Scope): JsonRecord {
  return plans.reduce((changed, plan) => transform(plan, changed, scope), record)
}

function transform(plan: TransformationPlan, record: JsonRecord, scope: Scope): JsonRecord {
  const inner = { ...scope, parameters: plan.parameters, record }
  switch (plan.kind) {
    case 'add':
      return plan.fields.reduce(
        (grown, field) => addField(plan.onlyIf, field, grown, { ...inner, record: grown }),
        record,
      )
    case 'remove':
      return plan.paths.reduce((left, path) => removeAt(left, path, plan.onlyIf, inner) as JsonRecord, record)
  }
}

type AddedField = { readonly path: readonly Template[]; readonly value: Template; readonly type: ValueType | null }

function addField(onlyIf: Template | null, field: AddedField, record: JsonRecord, scope: Scope): JsonRecord {
  const path = field.path.map((name) => pythonText(name.evaluate(scope)))
  const value = fieldValue(field, scope)
  if (onlyIf !== null && onlyIf.evaluate({ ...scope, value, path }, 'boolean') !== true) return record
  return setAt(record, path, value) as JsonRecord
}

/** Airbyte: with `value_type`, a result of another type stays the text it was. */
function fieldValue({ value, type }: AddedField, scope: Scope): unknown {
  if (type === 'string') return plainValue(value.evaluate(scope, 'str_typed') ?? null)
  const evaluated = value.evaluate(scope)
  return type === null || isOfType(evaluated, type) ? plainValue(evaluated ?? null) : value.render(scope)
}

function isOfType(value: unknown, type: Exclude<ValueType, 'string'>): boolean {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
      return typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))
    case 'number':
      return value instanceof Float || (typeof value === 'number' && !Number.isSafeInteger(value))
  }
}

/** A copy with the value at the path; objects on the way are made where missing, lists padded with null. */
function setAt(target: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (Array.isArray(target)) {
    const copy: unknown[] = [...(target as unknown[])]
    const index = Number(name)
    while (copy.length < index) copy.push(null)
    copy[index] = setAt(copy[index], rest, value)
    return copy
  }
  const object = typeof target === 'object' && target !== null ? (target as JsonRecord) : {}
  return withMember(object, name, setAt(Object.hasOwn(object, name) ? object[name] : undefined, rest, value))
}

function removeAt(target: unknown, path: readonly string[], onlyIf: Template | null, scope: Scope): unknown {
  const [name, ...rest] = path
  if (name === undefined || typeof target !== 'object' || target === null) return target
  const keys = name === '*' ? Object.keys(target) : Object.hasOwn(target, name) ? [name] : []
  return keys.reduce<object>((left, key) => {
    const member = (left as JsonRecord)[key]
    if (rest.length > 0) return withMember(left, key, removeAt(member, rest, onlyIf, scope))
    if (onlyIf !== null && onlyIf.evaluate({ ...scope, property: member }, 'boolean') !== true) return left
    // Airbyte: an item removed from a list leaves null behind.
    return Array.isArray(left) ? left.with(Number(key), null) : withoutMember(left as JsonRecord, key)
  }, target)
}

/** A computed name is a member like any other, even when it is `__proto__`. */
function withMember(target: object, name: string, value: unknown): object {
  return Array.isArray(target) ? target.with(Number(name), value) : { ...target, [name]: value }
}

function withoutMember(object: JsonRecord, name: string): JsonRecord {
  const { [name]: _removed, ...others } = object
  return others
}
