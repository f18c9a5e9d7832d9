/** RecordExpander: one extracted object → the items of the lists inside it. */
import type { Config } from '../plan/plan.ts'
import type { ExpansionPlan } from '../plan/selector.ts'
import { pythonText } from '../template/text.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { followPath } from '../../std/values/get-at.ts'

export function expand(plan: ExpansionPlan, config: Config, found: unknown): unknown[] {
  if (!isObject(found) || plan.path.length === 0) return [found]
  const path = plan.path.map((name) => pythonText(name.evaluate({ config, parameters: plan.parameters })))
  const matches = path.includes('*') ? (followPath(found, path) as unknown[]) : [followPath(found, path)]
  const items = matches.filter(isList).flat()
  if (items.length === 0) return plan.keepsEmpty ? [found] : []
  return plan.keepsOriginal ? items.map((item) => withOriginal(item, found)) : items
}

/** Airbyte: what is no object becomes one. */
function withOriginal(item: unknown, original: Members): Members {
  return isObject(item) ? { ...item, original_record: original } : { value: item, original_record: original }
}

/**
 * What stands for a found object that became no record where the last record of a page is asked for: itself, also
 * where the records would carry what they were found in. A cursor read from it goes on behind it.
 */
export function standIn(plan: ExpansionPlan, found: Members): Members {
  return plan.keepsOriginal ? { ...found, original_record: found } : found
}
