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
import { followPath } from '../../std/values/get-at.ts'
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

/** The names that lead to the records; null where only a custom class knows. */
export function recordPathOf(plan: ExtractorPlan, config: Config): readonly string[] | null {
  return plan.kind === 'custom' ? null : recordPath(plan, config)
}

function recordPath({ path, parameters }: PlanOf<'path'>, config: Config): readonly string[] {
  return path.map((name) => pythonText(name.evaluate({ config, parameters })))
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
  return plan.keepsOriginal ? items.map((item) => withOriginal(item, found)) : items
}

/** Airbyte: what is no object becomes one. */
function withOriginal(item: unknown, original: Members): Members {
  return isObject(item) ? { ...item, original_record: original } : { value: item, original_record: original }
}

/**
 * What replaces a found object that became no record, as the last record of a page: itself, also
 * where the records would carry what they were found in. A cursor read from it continues after it.
 */
function standIn(plan: ExpansionPlan, found: Members): Members {
  return plan.keepsOriginal ? { ...found, original_record: found } : found
}
