/** What the API sent → the items of the lists inside it, each with what it carries of that. */
import { ConnectorError } from '../../std/errors.ts'
import { plainNumbers } from '../../std/json.ts'
import { followPath, valueAt } from '../../std/values/get-at.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { withoutValueAt, withValueAt } from '../../std/values/set-at.ts'
import type { Config } from '../plan/plan.ts'
import type { ExpansionPlan } from '../plan/selector.ts'
import type { Template } from '../template/template.ts'
import { isTruthy, pythonText } from '../template/text.ts'
import { setAt } from './add-fields.ts'

/** Lists that were read as a whole, by what holds the part of them, and whether they still lack items. */
export type Lists = ReadonlyMap<unknown, { readonly items: unknown[]; readonly isShort: boolean }>

export function expand(plan: ExpansionPlan, config: Config, found: unknown, lists?: Lists): unknown[] {
  if (!isObject(found) || plan.path.length === 0) return [found]
  const path = namesOf(plan.path, plan, config)
  const whole = lists?.get(found)?.items ?? []
  const matches = path.includes('*') ? (followPath(found, path) as unknown[]) : [followPath(found, path)]
  // Airbyte: a request that brings nothing leaves the items that are there.
  const items = whole.length > 0 ? whole : matches.filter(isList).flat()
  if (items.length === 0) return plan.keepsEmpty ? [found] : []
  return carriesOriginal(plan) ? items.map(carrierOf(plan, config, found, path)) : items
}

/** Whether the API says that the list inside has more items than were received. */
export function isCutShort(plan: ExpansionPlan, config: Config, found: unknown, lists?: Lists): boolean {
  const { truncation } = plan
  if (truncation === null || plan.path.length === 0 || !isObject(found)) return false
  const path = namesOf(truncation.indicator, plan, config)
  if (!isTruthy(valueAt(found, path))) return false
  const whole = lists?.get(found)
  if (whole === undefined || whole.isShort || whole.items.length === 0) return true
  const total = plainNumbers(valueAt(found, [...path.slice(0, -1), 'total_count']))
  return typeof total === 'number' && Number.isInteger(total) && whole.items.length < total
}

function namesOf(path: readonly Template[], { parameters }: ExpansionPlan, config: Config): string[] {
  return path.map((name) => pythonText(name.evaluate({ config, parameters })))
}

function carriesOriginal({ keepsOriginal, mergesOriginal, copies }: ExpansionPlan): boolean {
  return keepsOriginal || mergesOriginal || copies.length > 0
}

/** Makes an item carry what it was found in. Airbyte: what is no object becomes one; copies overwrite what was merged. */
function carrierOf(
  { keepsOriginal, mergesOriginal, copies }: ExpansionPlan,
  config: Config,
  found: Members,
  path: readonly string[],
): (item: unknown) => unknown {
  const merged = mergesOriginal ? (withoutLists(found, path) as Members) : {}
  const copied = copies.map(({ from, to, parameters, at }) => {
    const names = (part: readonly Template[]) => part.map((name) => pythonText(name.evaluate({ config, parameters })))
    const target = names(to)
    const refuse = (reason: string) =>
      new ConnectorError('records/no-place', `A parent's value cannot be put at \`${target.join('.')}\`: ${reason}.`, {
        at,
      })
    return { target, value: valueAt(found, names(from)) ?? null, refuse }
  })
  return (item) => {
    const own: unknown = { ...merged, ...(isObject(item) ? item : { value: item }) }
    const whole = copied.reduce((held, { target, value, refuse }) => setAt(held, target, value, refuse), own)
    return keepsOriginal ? { ...(whole as Members), original_record: found } : whole
  }
}

/** A copy without the lists at the path. */
function withoutLists(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  const names = name === '*' && (isList(value) || isObject(value)) ? Object.keys(value) : [name]
  // From the end, so that positions in a list stay right.
  return names.toReversed().reduce((copy: unknown, one) => {
    const member = valueAt(copy, [one])
    if (member === undefined) return copy
    if (rest.length === 0) return isList(member) ? withoutValueAt(copy, [one]) : copy
    return withValueAt(copy, [isList(copy) ? Number(one) : one], withoutLists(member, rest))
  }, value)
}

/**
 * What replaces a found object that became no record, as the last record of a page: itself, also
 * where the records would carry what they were found in. A cursor read from it continues after it.
 */
export function standIn(plan: ExpansionPlan, found: Members): Members {
  return plan.keepsOriginal ? { ...found, original_record: found } : found
}
