/** FlattenFields and DpathFlattenFields: what stands inside a field becomes fields of the record. */
import type { JsonRecord } from '../plan/plan.ts'
import type { FlattenAtPlan } from '../plan/transformations.ts'
import type { Scope, Template } from '../template/template.ts'
import { isTruthy, pythonText } from '../template/text.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import { firstMatch, stepOf, withoutMatches } from './match-path.ts'

/**
 * Airbyte: the last field is taken apart first. A name inside an object that is taken by then gets its parent's in
 * front, and after the first list every such name does. A field of the record itself overwrites what has its name.
 */
export function flattenFields(record: JsonRecord, flattensLists: boolean): JsonRecord {
  const flat = new Map<string, unknown>()
  const waiting: [value: unknown, name: string][] = [[record, '_']]
  let hasMetList = false
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, name] = next
    if (isObject(value)) {
      for (const [inner, member] of Object.entries(value)) {
        waiting.push([member, hasMetList || flat.has(inner) ? `${name}.${inner}` : inner])
      }
    } else if (isList(value) && flattensLists) {
      value.forEach((item, index) => waiting.push([item, `${name}.${index}`]))
      hasMetList ||= value.length > 0
    } else {
      flat.set(name, value)
    }
  }
  return Object.fromEntries(flat)
}

/** Airbyte: nothing happens when the path leads to no object, or when the record has a field of one of its names. */
export function flattenAt(plan: FlattenAtPlan, record: JsonRecord, scope: Scope): JsonRecord {
  const inner = { config: scope.config, parameters: plan.parameters }
  const path = plan.path.map((name) => stepOf(name.evaluate(inner)))
  const found = firstMatch(record, path)
  if (!isObject(found)) return record

  const prefix = affix(plan.prefix, inner)
  const suffix = affix(plan.suffix, inner)
  const fields = Object.fromEntries(Object.entries(found).map(([name, value]) => [prefix + name + suffix, value]))
  const names = Object.keys(fields)
  if (plan.replacesRecord && names.length > 0) return fields
  if (names.some((name) => Object.hasOwn(record, name))) return record
  return { ...(plan.deletesOrigin ? withoutMatches(record, path) : record), ...fields }
}

function affix(template: Template | null, scope: Scope): string {
  const value = template?.evaluate(scope) ?? null
  return isTruthy(value) ? pythonText(value) : ''
}
