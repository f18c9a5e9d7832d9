/** One record → the same record, transformed as the manifest says; the record the API sent is not changed. */
import { ConnectorError } from '../../std/errors.ts'
import { plainNumbers } from '../../std/json.ts'
import { type CustomPlan, runCustom, type Instances, instanceFor } from '../custom/component.ts'
import { atOnce, describeKind, recordAsJson } from '../custom/check-returned.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { FlattenAtPlan, RemoveFieldsPlan, ReplaceInKeysPlan, TransformationPlan } from '../plan/transformations.ts'
import type { Slice } from '../slices/slice.ts'
import type { Scope, Template } from '../template/template.ts'
import { addFields } from './add-fields.ts'
import { type Members, isList, isObject } from '../../std/values/objects.ts'
import { setMember } from '../../std/values/set-member.ts'
import { RecordTransformation } from './record-classes.ts'
import { firstMatch, removeMatches, stepOf } from './match-path.ts'
import { RecordCopy } from './record-copy.ts'
import { type PageScope, scopeOfRecord } from './record-scope.ts'
import { snakeCase } from './snake-case.ts'
import { isTruthy, pythonText } from '../template/text.ts'

export type TransformInput = { readonly scope: PageScope; readonly slice: Slice; readonly instances: Instances }

/** @param index the place of the record on its page, for errors. */
export function transformRecord(
  plans: readonly TransformationPlan[],
  record: JsonRecord,
  input: TransformInput,
  index = 0,
): JsonRecord {
  const copy = new RecordCopy(record)
  for (const plan of plans) transform(plan, copy, input, index)
  return copy.record
}

function transform(plan: TransformationPlan, copy: RecordCopy, input: TransformInput, index: number): void {
  const { record } = copy
  const { scope } = input
  switch (plan.kind) {
    case 'add':
      return addFields(plan, copy, scope)
    case 'remove':
      return removeFields(plan, copy, scope)
    case 'keys-to-lower':
      return copy.replace(keysToLower(record))
    case 'keys-to-snake-case':
      return copy.replace(keysToSnakeCase(record))
    case 'replace-in-keys':
      return copy.replace(replaceInKeys(plan, record, scope))
    case 'flatten':
      return copy.replace(flattenFields(record, plan.lists))
    case 'flatten-at':
      return flattenAt(plan, copy, scope)
    case 'custom':
      return copy.replace(transformByClass(plan, record, input, index))
  }
}

function transformByClass(
  plan: CustomPlan,
  record: JsonRecord,
  { slice, instances }: TransformInput,
  index: number,
): JsonRecord {
  const transformation = instanceFor(instances, plan, RecordTransformation)
  const copy = plainNumbers(record) as JsonRecord
  const given = runCustom(plan, () => {
    const made: unknown = atOnce(transformation.transform(copy, { slice }))
    return recordAsJson(made === undefined ? copy : made, index)
  })
  if (isObject(given)) return given
  const message = `\`${plan.className}\` makes ${describeKind(given)} of a record.`
  throw new ConnectorError('custom/class-failed', message, { at: plan.at })
}

/** Airbyte: a condition is asked of values, never of objects and lists. */
function removeFields({ paths, onlyIf }: RemoveFieldsPlan, copy: RecordCopy, scope: PageScope): void {
  const isUnwanted = (member: unknown) => {
    if (onlyIf === null) return true
    if (isObject(member) || isList(member)) return false
    return onlyIf.evaluate({ config: scope.config, parameters: {}, property: member }, 'boolean') === true
  }
  for (const path of stepsOf(paths)) removeMatches(copy, path, isUnwanted)
}

/** The paths of a manifest are the same for every record. */
const knownSteps = new WeakMap<RemoveFieldsPlan['paths'], ReturnType<typeof stepOf>[][]>()

function stepsOf(paths: RemoveFieldsPlan['paths']): ReturnType<typeof stepOf>[][] {
  const known = knownSteps.get(paths)
  if (known !== undefined) return known
  const steps = paths.map((path) => path.map(stepOf))
  knownSteps.set(paths, steps)
  return steps
}

/** Airbyte: the record's own fields only. Where two names become one, the one that was lower case before gives way. */
function keysToLower(record: JsonRecord): JsonRecord {
  const entries = Object.entries(record)
  const lower = entries.map(([name, value]) => [name.toLowerCase(), value] as const)
  const changed = lower.filter(([name], index) => name !== entries[index]?.[0])
  return changed.length === 0 ? record : Object.fromEntries([...lower, ...changed])
}

function keysToSnakeCase(record: JsonRecord): JsonRecord {
  return renameKeys(record, snakeCase)
}

function replaceInKeys(plan: ReplaceInKeysPlan, record: JsonRecord, scope: PageScope): JsonRecord {
  const inner = scopeOfRecord(scope, plan.parameters, record)
  const old = pythonText(plan.old.evaluate(inner))
  const replacement = pythonText(plan.new.evaluate(inner))
  return renameKeys(record, (name) => name.replaceAll(old, () => replacement))
}

/** Objects inside objects are renamed too, those in lists are not. Where two names become one, the later value stays. */
function renameKeys(members: Members, rename: (name: string) => string): JsonRecord {
  const renamed: JsonRecord = {}
  for (const name of Object.keys(members)) {
    const value = members[name]
    setMember(renamed, rename(name), isObject(value) ? renameKeys(value, rename) : value)
  }
  return renamed
}

/**
 * Airbyte: the last field is taken apart first. A name inside an object that is taken by then gets its parent's in
 * front, and after the first list every such name does. A field of the record itself overwrites what has its name.
 */
function flattenFields(record: JsonRecord, flattensLists: boolean): JsonRecord {
  const flat: JsonRecord = {}
  const waiting: [value: unknown, name: string][] = [[record, '_']]
  let hasMetList = false
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, name] = next
    if (isObject(value)) {
      for (const inner of Object.keys(value)) {
        waiting.push([value[inner], hasMetList || Object.hasOwn(flat, inner) ? `${name}.${inner}` : inner])
      }
    } else if (isList(value) && flattensLists) {
      value.forEach((item, index) => waiting.push([item, `${name}.${index}`]))
      hasMetList ||= value.length > 0
    } else {
      setMember(flat, name, value)
    }
  }
  return flat
}

/** Airbyte: nothing happens when the path leads to no object, or when the record has a field of one of its names. */
function flattenAt(plan: FlattenAtPlan, copy: RecordCopy, scope: PageScope): void {
  const { record } = copy
  const inner = { config: scope.config, parameters: plan.parameters }
  const path = plan.path.map((name) => stepOf(name.evaluate(inner)))
  const found = firstMatch(record, path)
  if (!isObject(found)) return

  const prefix = affix(plan.prefix, inner)
  const suffix = affix(plan.suffix, inner)
  const fields = Object.entries(found).map(([name, value]) => [prefix + name + suffix, value] as const)
  if (plan.replacesRecord && fields.length > 0) return copy.replace(Object.fromEntries(fields))
  if (fields.some(([name]) => Object.hasOwn(record, name))) return
  if (plan.deletesOrigin) removeMatches(copy, path)
  for (const [name, value] of fields) copy.set(name, value)
}

function affix(template: Template | null, scope: Scope): string {
  const value = template?.evaluate(scope) ?? null
  return isTruthy(value) ? pythonText(value) : ''
}
