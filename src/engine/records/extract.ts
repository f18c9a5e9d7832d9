/** Decoded body → what the API sent as records, each counted once however many records it becomes. */
import { plainNumbers } from '../../json.ts'
import { runCustom } from '../custom/component.ts'
import { atOnce, listOf } from '../custom/given.ts'
import { instanceFor, type Instances } from '../custom/instances.ts'
import type { Config, JsonRecord } from '../plan/plan.ts'
import type { ExtractorPlan } from '../plan/selector-plan.ts'
import type { Slice } from '../slices/slice.ts'
import { pythonText } from '../template/text.ts'
import { expand, standIn } from './expand.ts'
import { isObject } from '../../members.ts'
import { RecordExtractor } from './record-classes.ts'
import { followPath } from '../../follow-path.ts'

export type Extraction = {
  readonly found: unknown[]
  /** What the API sent, before an expansion: pagination goes by this. */
  readonly count: number
  /** Stands for the last thing the API sent, where that became no record. */
  readonly lastSent?: JsonRecord
}

export type ExtractInput = {
  readonly config: Config
  readonly slice: Slice
  readonly instances: Instances
}

export function extract(plan: ExtractorPlan, body: unknown, input: ExtractInput): Extraction {
  if (plan.kind === 'custom') {
    const found = extractByClass(plan, body, input)
    return { found, count: found.length }
  }
  const { config } = input
  const { expansion } = plan
  const sent = extractByPath(plan, config, body)
  if (expansion === null) return { found: sent, count: sent.length }
  const expanded = sent.map((one) => expand(expansion, config, one))
  const last = sent.at(-1)
  const isLost = expanded.at(-1)?.length === 0 && isObject(last)
  return { found: expanded.flat(), count: sent.length, ...(isLost && { lastSent: standIn(expansion, last) }) }
}

type PlanOf<Kind extends ExtractorPlan['kind']> = Extract<ExtractorPlan, { kind: Kind }>

function extractByClass(plan: PlanOf<'custom'>, body: unknown, { slice, instances }: ExtractInput): unknown[] {
  const extractor = instanceFor(instances, plan, RecordExtractor)
  return runCustom(plan, () => {
    const given = atOnce(extractor.extract(plainNumbers(body), { slice }))
    return Array.from(listOf(given, 'a list of records'))
  })
}

/**
 * Airbyte: a body that is a list is taken apart first and the path is followed into each item,
 * so an empty object in it counts as nothing.
 */
function extractByPath(plan: PlanOf<'path'>, config: Config, body: unknown): unknown[] {
  const path = plan.path.map((name) => pythonText(name.evaluate({ config, parameters: plan.parameters })))
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
