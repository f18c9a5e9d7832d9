/** One record → the same record, changed as the stream asks; the record the API sent stays as it was. */
import { ConnectorError } from '../../std/errors.ts'
import { plainNumbers } from '../../std/json.ts'
import { type CustomPlan, runCustom, instanceFor, type Instances } from '../custom/component.ts'
import { kindOf } from '../custom/given.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { TransformationPlan } from '../plan/transformations.ts'
import type { Slice } from '../slices/slice.ts'
import type { Scope } from '../template/template.ts'
import { addFields } from './add-fields.ts'
import { flattenAt, flattenFields } from './flatten.ts'
import { isObject } from '../../std/values/objects.ts'
import { RecordTransformation } from './record-classes.ts'
import { removeFields } from './remove-fields.ts'
import { keysToLower, keysToSnakeCase, replaceInKeys } from './rename-keys.ts'

export type TransformInput = { readonly scope: Scope; readonly slice: Slice; readonly instances: Instances }

export function transformRecord(
  plans: readonly TransformationPlan[],
  record: JsonRecord,
  input: TransformInput,
): JsonRecord {
  return plans.reduce((changed, plan) => transform(plan, changed, input), record)
}

function transform(plan: TransformationPlan, record: JsonRecord, input: TransformInput): JsonRecord {
  const { scope } = input
  switch (plan.kind) {
    case 'add':
      return addFields(plan, record, scope)
    case 'remove':
      return removeFields(plan, record, scope)
    case 'keys-to-lower':
      return keysToLower(record)
    case 'keys-to-snake-case':
      return keysToSnakeCase(record)
    case 'replace-in-keys':
      return replaceInKeys(plan, record, scope)
    case 'flatten':
      return flattenFields(record, plan.lists)
    case 'flatten-at':
      return flattenAt(plan, record, scope)
    case 'custom':
      return transformByClass(plan, record, input)
  }
}

function transformByClass(plan: CustomPlan, record: JsonRecord, { slice, instances }: TransformInput): JsonRecord {
  const transformation = instanceFor(instances, plan, RecordTransformation)
  const copy = plainNumbers(record) as JsonRecord
  const given: unknown = runCustom(plan, () => transformation.transform(copy, { slice }))
  if (given === undefined) return copy
  if (isObject(given)) return given
  const message = `\`${plan.className}\` makes ${kindOf(given)} of a record.`
  throw new ConnectorError('custom/class-failed', message, { at: plan.at })
}
