/** The pages of one slice → its counts, its claims and, at its end, what they prove. Can be resumed from the counts of an earlier read. */
import type { Page } from '../../engine/pages/page.ts'
import { type ClaimRules, factsOf } from '../claims/page-facts.ts'
import { readClaims } from '../claims/read-claims.ts'
import { type KeyCounts, type KeyOptions, trackKeys } from '../keys/track-keys.ts'
import { judgeSlice, mayHaveMoved } from '../verdict/judge-slice.ts'
import type { Judgement, SliceEvidence } from '../verdict/verdict.ts'
import { claimedIn, type Shown } from './receipt.ts'
import type { Claims } from '../claims/merge-claims.ts'

/** Plain JSON: a checkpoint contains it. */
export type TrackedCounts = {
  readonly pages: number
  readonly received: number
  readonly emitted: number
  /** What the API has claimed so far. */
  readonly claims: Claims | null
  /** It was interrupted, and the page before did not come again as it was: records may have moved before it resumed. */
  readonly hasGap?: true
}

/** What is the same for all slices of a stream. */
export type TrackingRules = { readonly claims: ClaimRules; readonly keys: KeyOptions }

export type SliceTracker = {
  /** A page, or a part of one. Returns all counts so far. */
  observe(page: Page): TrackedCounts
  counts(): TrackedCounts
  /** The primary keys so far; null where the stream has none, and where earlier pages were not seen. */
  keys(): KeyCounts | null
  /** What the whole slice proves; forgets its keys. */
  end(end: Pick<SliceEvidence, 'stop' | 'error' | 'isResumed'>): ProvenSlice
  /** Forgets the keys, whose space others may need. */
  release(): void
}

export type ProvenSlice = Shown & {
  readonly judgement: Judgement
  /** It was interrupted between two counted positions: records that moved before it resumed may have been skipped, whatever the verdict. */
  readonly mayHaveMoved?: true
}

const nothing: TrackedCounts = { pages: 0, received: 0, emitted: 0, claims: null }

/** `from`: the counts of the pages before, of a read that is resumed. */
export function trackSlice({ claims: rules, keys: keyOptions }: TrackingRules, from = nothing): SliceTracker {
  // The keys of earlier pages are not stored: those of the rest alone would prove nothing.
  const keys = from.pages === 0 ? trackKeys(keyOptions) : null
  let counts = from
  return {
    observe(page) {
      counts = {
        pages: counts.pages + (page.part === 0 ? 1 : 0),
        received: counts.received + page.receivedCount,
        emitted: counts.emitted + page.records.length,
        claims: readClaims(counts.claims, factsOf(page, rules.tokenNames), rules),
        ...(from.hasGap && { hasGap: true }),
      }
      keys?.observe(page.records, counts.pages)
      return counts
    },
    counts: () => counts,
    keys: () => keys?.counts() ?? null,
    end({ stop, error, isResumed = false }) {
      const { received, claims } = counts
      const counted = keys?.counts() ?? null
      keys?.release()
      const hasGap = from.hasGap === true
      const judgement = judgeSlice({ stop, error, received, claims, keys: counted, rules, isResumed, hasGap })
      const proven = { judgement, keys: counted, claimed: claimedIn(claims) }
      return mayHaveMoved({ stop, claims, hasGap }) ? { ...proven, mayHaveMoved: true } : proven
    },
    release: () => keys?.release(),
  }
}
