/** A page and its stream → what claims are read from. */
import { type Page, unshownAnswer } from '../engine/pages/page.ts'
import type { PaginationPlan } from '../engine/plan/pagination-plan.ts'
import type { OpenStream } from '../engine/pages/stream.ts'

type Template = Extract<PaginationPlan, { kind: 'cursor' }>['value']

export type PageFacts = {
  /** As it was decoded. Only numbers and flags are taken from it, so nothing secret is. */
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly receivedCount: number
  /** Position within the page, from 0. */
  readonly part: number
  readonly isLast: boolean
  /** The answer is an error that a rule of the manifest takes for the end. */
  readonly isError: boolean
}

/** What the manifest tells about where to look, decided once per stream. */
export type ClaimRules = {
  /** Where the records stand; null when only the connector's own class knows. */
  readonly recordPath: readonly string[] | null
  /** Whether what is received is what an API would count, record by record. */
  readonly countsRecords: boolean
  /** Whether the cursor is read from the answer: then its absence is the API's own word. */
  readonly isCursorOfApi: boolean
  /** Whether a slice may be one of several: a total then may count the others too. */
  readonly isSliced: boolean
  /** Whether the stop condition looks at what was read, such as a date: it may end the walk before the end on purpose. */
  readonly mayStopEarly: boolean
}

export function factsOf(page: Page): PageFacts {
  const { body, headers } = unshownAnswer(page.response)
  const { receivedCount, part, stop } = page
  return { body, headers, receivedCount, part, isLast: stop !== null, isError: stop === 'ignored' }
}

export function claimRulesOf({ plan, config }: Pick<OpenStream, 'plan' | 'config'>): ClaimRules {
  const { selector, pagination, slicing, retriever, job } = plan
  const { extractor } = selector
  const isCursorOfApi =
    pagination.kind === 'cursor' &&
    names(pagination.value, ['response', 'headers']) &&
    !names(pagination.value, ['last_record', 'last_records', 'last_page_size'])
  const isSliced = slicing.routers.length > 0 || slicing.cursor !== null
  const rules = { isCursorOfApi, isSliced, mayStopEarly: mayStopEarly(pagination) }
  // A class of the connector's own finds what it likes.
  if (extractor.kind === 'custom' || retriever !== null) return { ...rules, recordPath: null, countsRecords: false }
  const { parameters } = extractor
  const recordPath = extractor.path.map((name) => name.render({ config, parameters }))
  // Each download of a job counts for itself.
  return { ...rules, recordPath, countsRecords: !recordPath.includes('*') && job === null }
}

function mayStopEarly(pagination: PaginationPlan): boolean {
  if (pagination.kind === 'custom') return true
  if (pagination.kind !== 'cursor' || pagination.stopWhen === null) return false
  const { stopWhen } = pagination
  // A page size from the config is compared with the last page; a date from the config with the last record.
  return (
    names(stopWhen, ['last_record', 'last_records']) ||
    (names(stopWhen, ['config']) && !names(stopWhen, ['last_page_size']))
  )
}

function names(template: Template, some: readonly string[]): boolean {
  return some.some((name) => template.names.has(name))
}
