/** Decoded body → what the API sent as records, each counted once however many records it becomes. */
import { plainNumbers } from '../../std/json.ts'
import { runCustom, type Instances, instanceFor } from '../custom/component.ts'
import { atOnce, givenList } from '../custom/check-returned.ts'
import type { Config, JsonRecord } from '../plan/plan.ts'
import type { ExpansionPlan, ExtractorPlan } from '../plan/selector.ts'
import type { Slice } from '../slices/slice.ts'
import { pythonText } from '../template/text.ts'
import { type Members, isList, isObject } from '../../std/values/objects.ts'
import { RecordExtractor } from './record-classes.ts'
import { followPath, valueAt } from '../../std/values/get-at.ts'
import { withoutValueAt, withValueAt } from '../../std/values/set-at.ts'
import { ConnectorError } from '../../std/errors.ts'
import type { Template } from '../template/template.ts'
import { setAt } from './add-fields.ts'
import { type BodyKind, type ListState, listAt } from '../../std/values/find-list.ts'

type Extraction = {
  readonly found: unknown[]
  /** Whether the list is there; `found` where only a custom class knows. */
  readonly list: ListState
  /** What the API sent, before an expansion: pagination uses this. */
  readonly count: number
  /** The last object the API sent, where it became no record. */
  readonly lastSent?: JsonRecord
}

type ExtractInput = {
  readonly config: Config
  readonly slice: Slice
  readonly instances: Instances
  readonly kind?: BodyKind
}

export function extract(plan: ExtractorPlan, body: unknown, input: ExtractInput): Extraction {
  if (plan.kind === 'custom') {
    const found = extractByClass(plan, body, input)
    return { found, list: 'found', count: found.length }
  }
  if (plan.kind === 'combined') return combine(plan, body, input)
  const { config } = input
  const { expansion } = plan
  const path = recordPath(plan, config)
  const list = listAt(body, path, input.kind)
  const sent = extractByPath(path, body)
  if (expansion === null) return { found: sent, list, count: sent.length }
  const expanded = sent.map((one) => expand(expansion, config, one))
  const last = sent.at(-1)
  const isLost = expanded.at(-1)?.length === 0 && isObject(last)
  return { found: expanded.flat(), list, count: sent.length, ...(isLost && { lastSent: standIn(expansion, last) }) }
}

/** The names that lead to the records; null where only a custom class knows, and where there are several. */
export function recordPathOf(plan: ExtractorPlan, config: Config): readonly string[] | null {
  return plan.kind === 'path' ? recordPath(plan, config) : null
}

function recordPath({ path, parameters }: PlanOf<'path'>, config: Config): readonly string[] {
  return path.map((name) => pythonText(name.evaluate({ config, parameters })))
}

/** Pagination counts what is left out, too: it has a place on the page. */
function combine(plan: PlanOf<'combined'>, body: unknown, input: ExtractInput): Extraction {
  const kept = (found: unknown[]) => (plan.skipsEmpty ? found.filter((one) => !isEmpty(one)) : found)
  const parts = plan.members.map((member) => {
    const part = extract(member, body, input)
    return { ...part, found: kept(part.found) }
  })
  const list = listStates.find((state) => parts.some((part) => part.list === state)) ?? 'missing'
  if (plan.isFirstMatch) return { ...(parts.find(({ found }) => found.length > 0) ?? { found: [], count: 0 }), list }
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  return { found: parts.flatMap(({ found }) => found), list, count, ...lastOf(parts.at(-1)) }
}

const listStates: readonly ListState[] = ['found', 'null', 'missing']

function lastOf(part: Extraction | undefined): Pick<Extraction, 'lastSent'> {
  return part?.lastSent === undefined ? {} : { lastSent: part.lastSent }
}

type PlanOf<Kind extends ExtractorPlan['kind']> = Extract<ExtractorPlan, { kind: Kind }>

function extractByClass(plan: PlanOf<'custom'>, body: unknown, { slice, instances }: ExtractInput): unknown[] {
  const extractor = instanceFor(instances, plan, RecordExtractor)
  return runCustom(plan, () => {
    const given = atOnce(extractor.extract(plainNumbers(body), { slice }))
    return Array.from(givenList(given, 'a list of records'))
  })
}

/**
 * Airbyte: a body that is a list is taken apart first and the path is followed into each item,
 * so an empty object in it counts as nothing.
 */
function extractByPath(path: readonly string[], body: unknown): unknown[] {
  if (path.length === 0 && Array.isArray(body)) return body.flatMap(itemsOf)
  return Array.isArray(body) ? body.flatMap((item) => followInto(item, path)) : followInto(body, path)
}

function followInto(body: unknown, path: readonly string[]): unknown[] {
  const found = followPath(body, path)
  // With a wildcard, each match may be a record or a list of records.
  return path.includes('*') ? (found as unknown[]).flatMap(itemsOf) : itemsOf(found)
}

function itemsOf(found: unknown): unknown[] {
  if (Array.isArray(found)) return found
  return isEmpty(found) ? [] : [found]
}

function isEmpty(found: unknown): boolean {
  if (typeof found !== 'object') return !found
  return found === null || Object.keys(found).length === 0
}

function expand(plan: ExpansionPlan, config: Config, found: unknown): unknown[] {
  if (!isObject(found) || plan.path.length === 0) return [found]
  const path = plan.path.map((name) => pythonText(name.evaluate({ config, parameters: plan.parameters })))
  const matches = path.includes('*') ? (followPath(found, path) as unknown[]) : [followPath(found, path)]
  const items = matches.filter(isList).flat()
  if (items.length === 0) return plan.keepsEmpty ? [found] : []
  return carriesOriginal(plan) ? items.map(carrierOf(plan, config, found, path)) : items
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
function standIn(plan: ExpansionPlan, found: Members): Members {
  return plan.keepsOriginal ? { ...found, original_record: found } : found
}
