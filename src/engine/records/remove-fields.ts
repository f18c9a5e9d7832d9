/** RemoveFields: a record without the fields at some paths, or only without those of them that meet a condition. */
import type { JsonRecord } from '../plan/plan.ts'
import type { RemoveFieldsPlan } from '../plan/transformations.ts'
import type { Scope } from '../template/template.ts'
import { stepOf, withoutMatches } from './match-path.ts'
import { isList, isObject } from '../../std/values/objects.ts'

/** Airbyte: a condition is asked of values, never of objects and lists. */
export function removeFields({ paths, onlyIf }: RemoveFieldsPlan, record: JsonRecord, scope: Scope): JsonRecord {
  const isUnwanted = (member: unknown) => {
    if (onlyIf === null) return true
    if (isObject(member) || isList(member)) return false
    return onlyIf.evaluate({ config: scope.config, parameters: {}, property: member }, 'boolean') === true
  }
  return paths.reduce((left, path) => withoutMatches(left, path.map(stepOf), isUnwanted), record)
}
