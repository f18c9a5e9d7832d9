/** What is known when a cause is looked for: the walk, the slice that goes wrong in it, and where the manifest can be changed. */
import type { PaginationPlan } from '../../engine/plan/pagination.ts'
import type { PageToken } from '../../engine/request/page-token.ts'
import type { Receipt } from '../receipts/receipt.ts'
import type { Evidence, Finding, ManifestEdit } from './diagnosis.ts'
import type { FindingCode } from './finding-codes.ts'
import type { ManifestPlace } from './manifest-place.ts'
import { type Repeats, repeatsIn, untold } from './repeats.ts'
import type { Walk } from './walk.ts'
import type { WalkedPage } from './walked-page.ts'

export type Case = {
  readonly walk: Walk
  /** The pages of the slice that is looked at. */
  readonly pages: readonly WalkedPage[]
  readonly repeats: Repeats
  /** Null where the slice did not come to an end, or only to the limit of pages. */
  readonly receipt: Receipt | null
  readonly pagination: PaginationPlan
  /** Null where the manifest cannot be changed for this stream alone. */
  readonly place: ManifestPlace | null
  /** Why it cannot; empty where it can. */
  readonly whyNot: string
}

/** A change of the manifest that may be what is missing: the API decides, by a few pages read with it. */
export type Hypothesis = {
  readonly code: FindingCode
  /** The manifest's, unless said. */
  readonly fault?: Finding['fault']
  /** What its requests are to find out. */
  readonly why: string
  readonly says: string
  readonly evidence: readonly Evidence[]
  readonly fix: { readonly says: string; readonly edits: readonly ManifestEdit[] }
  /** Changed besides where the change alone does not do: one fault may hide another. */
  readonly orElse?: { readonly says: string; readonly edits: readonly ManifestEdit[] }
  readonly advice?: string
  /** Asked for first: only where this page brings records that the walk did not have, the change is worth a walk. */
  readonly firstTry?: PageToken
  /** Read before anything else: so many pages must show it, or it is not worth a re-test. 0 where other requests have shown it. */
  readonly glance?: number
  /** Whether other faults may remain, which show only once this one is fixed. */
  readonly isPartial?: boolean
  /** Where its pages begin; the first page of the slice unless said. */
  readonly from?: PageToken
  /** Whether the pages read with it show that it is right; unless said, they must bring more, and nothing twice. */
  readonly isShownBy?: (after: Walk) => boolean
}

/** The slice to look at: the one that broke, or the first that is known to be wrong, or the first. */
export function openCase(walk: Walk, place: ManifestPlace | { readonly whyNot: string }): Case {
  const numbers = [...new Set(walk.pages.map(({ sliceNumber }) => sliceNumber))]
  const bySlice = numbers.map((number) => walk.pages.filter(({ sliceNumber }) => sliceNumber === number))
  const receiptOf = (slice: readonly WalkedPage[]) => {
    const receipt = walk.receipts[(slice[0]?.sliceNumber ?? 1) - 1] ?? null
    return receipt?.stop === 'limit' ? null : receipt
  }
  const isWrong = (slice: readonly WalkedPage[]) => {
    const receipt = receiptOf(slice)
    return receipt?.verdict === 'incomplete' || repeatsIn(slice).repeated > 0
  }
  const pages = bySlice.find(isWrong) ?? bySlice.find((slice) => (slice[0]?.received ?? 0) > 0) ?? bySlice[0] ?? []
  return {
    walk,
    pages,
    repeats: walk.rules.mayStartAgain ? untold(pages) : repeatsIn(pages),
    receipt: receiptOf(pages),
    pagination: walk.plan.pagination,
    place: 'whyNot' in place ? null : place,
    whyNot: 'whyNot' in place ? place.whyNot : '',
  }
}
