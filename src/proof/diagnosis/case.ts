/** What the causes work on: the read, the slice that goes wrong in it, and where the manifest can be changed. */
import type { PaginationPlan } from '../../engine/plan/pagination.ts'
import type { PageToken } from '../../engine/request/page-token.ts'
import type { Receipt } from '../receipts/receipt.ts'
import type { Evidence, Finding, ManifestEdit } from './diagnosis.ts'
import type { FindingCode } from './finding-codes.ts'
import type { ManifestPlace } from './manifest-place.ts'
import { type Repeats, repeatsIn, unknownRepeats } from './repeats.ts'
import type { DiagnosticRead } from './diagnostic-read.ts'
import type { PageSummary } from './page-summary.ts'

export type Case = {
  readonly read: DiagnosticRead
  /** The pages of the diagnosed slice. */
  readonly pages: readonly PageSummary[]
  readonly repeats: Repeats
  /** Null where the slice did not come to an end, or only to the limit of pages. */
  readonly receipt: Receipt | null
  readonly pagination: PaginationPlan
  /** Null where the manifest cannot be changed for this stream alone. */
  readonly place: ManifestPlace | null
  /** Why it cannot; empty where it can. */
  readonly whyNot: string
}

/** A change of the manifest that may be the fix: a few pages read with it decide. */
export type Hypothesis = {
  readonly code: FindingCode
  /** The manifest's, unless said. */
  readonly fault?: Finding['fault']
  /** What its requests are to find out. */
  readonly why: string
  readonly says: string
  readonly evidence: readonly Evidence[]
  readonly fix: { readonly says: string; readonly edits: readonly ManifestEdit[] }
  /** A further change, tried where the first alone does not help: one fault may hide another. */
  readonly orElse?: { readonly says: string; readonly edits: readonly ManifestEdit[] }
  readonly advice?: string
  /** Requested first: the change is tried further only where this page brings new records. */
  readonly firstTry?: PageToken
  /** Pages of a short read that must confirm it before the re-test. 0 where other requests have confirmed it. */
  readonly shortRead?: number
  /** Whether other faults may remain, which show only once this one is fixed. */
  readonly isPartial?: boolean
  /** Where its pages begin; the first page of the slice unless said. */
  readonly from?: PageToken
  /** Whether the pages read with it show that it is right; unless said, they must bring more, and nothing twice. */
  readonly isShownBy?: (after: DiagnosticRead) => boolean
}

/** Chooses the slice: the one that failed, or the first that is known to be wrong, or the first. */
export function openCase(read: DiagnosticRead, place: ManifestPlace | { readonly whyNot: string }): Case {
  const numbers = [...new Set(read.pages.map(({ sliceNumber }) => sliceNumber))]
  const bySlice = numbers.map((number) => read.pages.filter(({ sliceNumber }) => sliceNumber === number))
  const receiptOf = (slice: readonly PageSummary[]) => {
    const receipt = read.receipts[(slice[0]?.sliceNumber ?? 1) - 1] ?? null
    return receipt?.stop === 'limit' ? null : receipt
  }
  const isWrong = (slice: readonly PageSummary[]) => {
    const receipt = receiptOf(slice)
    return receipt?.verdict === 'incomplete' || repeatsIn(slice).repeated > 0
  }
  const pages = bySlice.find(isWrong) ?? bySlice.find((slice) => (slice[0]?.received ?? 0) > 0) ?? bySlice[0] ?? []
  return {
    read,
    pages,
    repeats: read.rules.mayStartAgain ? unknownRepeats(pages) : repeatsIn(pages),
    receipt: receiptOf(pages),
    pagination: read.plan.pagination,
    place: 'whyNot' in place ? null : place,
    whyNot: 'whyNot' in place ? place.whyNot : '',
  }
}
