/** Decoded body → what the API sent as records, each counted once however many records it becomes. */
import { plainNumbers } from '../../std/json.ts'
import { runCustom, type Instances, instanceFor } from '../custom/component.ts'
import { atOnce, givenList, recordsAsJson } from '../custom/check-returned.ts'
import type { Config, JsonRecord } from '../plan/plan.ts'
import type { ExtractorPlan, TruncationPlan } from '../plan/selector.ts'
import type { Slice } from '../slices/slice.ts'
import { isTruthy, pythonText } from '../template/text.ts'
import { isObject, type Members } from '../../std/values/objects.ts'
import { RecordExtractor } from './record-classes.ts'
import { followPath } from '../../std/values/get-at.ts'
import { expand, isCutShort, type Lists, standIn } from './expand.ts'
import { type BodyKind, type ListState, listAt } from '../../std/values/find-list.ts'

type Extraction = {
  readonly found: unknown[]
  /** Whether the list is there; `found` where only a custom class knows. */
  readonly list: ListState
  /** What the API sent, before an expansion: pagination uses this. */
  readonly count: number
  /** The last object the API sent, where it became no record. */
  readonly lastSent?: JsonRecord
  /** How many of the lists that were expanded lack items, as the API says. */
  readonly truncated?: number
}

type ExtractInput = {
  readonly config: Config
  readonly slice: Slice
  readonly instances: Instances
  readonly kind?: BodyKind
  /** Lists that were read as a whole, since those in the body are cut short. */
  readonly lists?: Lists
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
  const expanded = sent.map((one) => expand(expansion, config, one, input.lists))
  const truncated = sent.filter((one) => isCutShort(expansion, config, one, input.lists)).length
  const last = sent.at(-1)
  const isLost = expanded.at(-1)?.length === 0 && isObject(last)
  return {
    found: expanded.flat(),
    list,
    count: sent.length,
    ...(truncated > 0 && { truncated }),
    ...(isLost && { lastSent: standIn(expansion, last) }),
  }
}

/** What the API sent that holds a list cut short, for which the manifest says how to read the whole one. */
export function truncatedIn(plan: ExtractorPlan, body: unknown, config: Config): Truncated[] {
  if (plan.kind === 'combined') return plan.members.flatMap((member) => truncatedIn(member, body, config))
  if (plan.kind === 'custom') return []
  const { expansion } = plan
  const retriever = expansion?.truncation?.retriever ?? null
  if (expansion === null || retriever === null) return []
  const sent = extractByPath(recordPath(plan, config), body).filter(isObject)
  return sent.filter((one) => isCutShort(expansion, config, one)).map((holder) => ({ holder, retriever }))
}

/** Whether the manifest says how to read lists that are cut short. */
export function readsLists(plan: ExtractorPlan): boolean {
  if (plan.kind === 'combined') return plan.members.some(readsLists)
  return plan.kind === 'path' && (plan.expansion?.truncation?.retriever ?? null) !== null
}

export type Truncated = { readonly holder: Members; readonly retriever: NonNullable<TruncationPlan['retriever']> }

/** The names that lead to the records; null where only a custom class knows, and where there are several. */
export function recordPathOf(plan: ExtractorPlan, config: Config): readonly string[] | null {
  return plan.kind === 'path' ? recordPath(plan, config) : null
}

function recordPath({ path, parameters }: PlanOf<'path'>, config: Config): readonly string[] {
  return path.map((name) => pythonText(name.evaluate({ config, parameters })))
}

/** Pagination counts what is left out, too: it has a place on the page. */
function combine(plan: PlanOf<'combined'>, body: unknown, input: ExtractInput): Extraction {
  const kept = (found: unknown[]) => (plan.skipsEmpty ? found.filter(isTruthy) : found)
  const parts = plan.members.map((member) => {
    const part = extract(member, body, input)
    return { ...part, found: kept(part.found) }
  })
  const list = listStates.find((state) => parts.some((part) => part.list === state)) ?? 'missing'
  if (plan.isFirstMatch) {
    // A list whose items all became no record is not the empty list that ends the pages.
    const first = parts.find(({ found }) => found.length > 0) ?? parts.find((part) => part.count > 0)
    return { ...(first ?? { found: [], count: 0 }), list }
  }
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  const truncated = parts.reduce((sum, part) => sum + (part.truncated ?? 0), 0)
  return {
    found: parts.flatMap(({ found }) => found),
    list,
    count,
    ...lastOf(parts.at(-1)),
    ...(truncated > 0 && { truncated }),
  }
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
    return recordsAsJson(Array.from(givenList(given, 'a list of records')))
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
  // With a wildcard, each match may be a record or a list of records. Airbyte: an empty one counts, too.
  return path.includes('*') ? (found as unknown[]).flat() : itemsOf(found)
}

function itemsOf(found: unknown): unknown[] {
  if (Array.isArray(found)) return found
  return isTruthy(found) ? [found] : []
}
