/** RemoveFields: a record without the fields at some paths, or without the values that meet a condition. */
import type { JsonRecord, RemoveFieldsPlan } from '../plan/plan.ts'
import type { Scope, Template } from '../template/template.ts'
import { isList, isObject } from './members.ts'
import { changeMembers, removed, stepOf, withoutMatches } from './match-path.ts'

export function removeFields({ paths, onlyIf }: RemoveFieldsPlan, record: JsonRecord, scope: Scope): JsonRecord {
  return paths.reduce((left, path) => {
    if (onlyIf === null) return withoutMatches(left, path.map(stepOf))
    return withoutValues(left, onlyIf, scope) as JsonRecord
  }, record)
}

/** Airbyte: a condition is asked of every value of the record, wherever the path points. */
function withoutValues(container: unknown, onlyIf: Template, scope: Scope): unknown {
  return changeMembers(container, (member) => {
    if (isObject(member) || isList(member)) return withoutValues(member, onlyIf, scope)
    const isUnwanted = onlyIf.evaluate({ config: scope.config, parameters: {}, property: member }, 'boolean')
    return isUnwanted === true ? removed : member
  })
}
