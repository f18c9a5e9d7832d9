/** A page and its stream → what claims are read from. */
import { type Page, unshownAnswer } from '../engine/pages/page.ts'
import type { OpenStream } from '../engine/pages/stream.ts'

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
    ['response', 'headers'].some((name) => pagination.value.names.has(name)) &&
    !['last_record', 'last_records', 'last_page_size'].some((name) => pagination.value.names.has(name))
  const isSliced = slicing.routers.length > 0 || slicing.cursor !== null
  if (extractor.kind === 'custom') return { recordPath: null, countsRecords: false, isCursorOfApi, isSliced }
  const { parameters } = extractor
  const recordPath = extractor.path.map((name) => name.render({ config, parameters }))
  // Each download of a job counts for itself, and a class of the connector's own reads as it likes.
  const countsRecords = !recordPath.includes('*') && retriever === null && job === null
  return { recordPath, countsRecords, isCursorOfApi, isSliced }
}
