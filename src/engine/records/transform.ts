/** One record → the same record, changed as the stream asks; the record the API sent stays as it was. */
import type { JsonRecord, TransformationPlan } from '../plan/plan.ts'
import type { Scope } from '../template/template.ts'
import { addFields } from './add-fields.ts'
import { flattenAt, flattenFields } from './flatten.ts'
import { removeFields } from './remove-fields.ts'
import { keysToLower, keysToSnakeCase, replaceInKeys } from './rename-keys.ts'

export function transformRecord(plans: readonly TransformationPlan[], record: JsonRecord, scope: Scope): JsonRecord {
  return plans.reduce((changed, plan) => transform(plan, changed, scope), record)
}

function transform(plan: TransformationPlan, record: JsonRecord, scope: Scope): JsonRecord {
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
  }
}
