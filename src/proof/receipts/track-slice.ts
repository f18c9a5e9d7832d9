/** The pages of one slice → its counts, its claims and, at its end, what they prove. Can be resumed from the counts of an earlier read. */
import type { Page } from '../../engine/pages/page.ts'
import { type ClaimRules, factsOf } from '../claims/page-facts.ts'
import { readClaims } from '../claims/read-claims.ts'
import { type KeyCounts, type KeyOptions, trackKeys } from '../keys/track-keys.ts'
import { judgeSlice, mayHaveMoved } from '../verdict/judge-slice.ts'
import { type Judgement, type SliceEvidence, withDoubt } from '../verdict/verdict.ts'
import { addSlice, emptyTally, judgeStream, shownIn } from '../verdict/judge-stream.ts'
import { claimedIn, type Shown } from './receipt.ts'
import type { Claims } from '../claims/merge-claims.ts'
import { count } from '../../std/text/format-count.ts'

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
  const sections = trackSections(rules)
  return {
    observe(page) {
      const claims = sections.claimsFor(page, counts)
      counts = {
        pages: counts.pages + (page.part === 0 ? 1 : 0),
        received: counts.received + page.receivedCount,
        emitted: counts.emitted + page.records.length,
        claims: readClaims(claims, factsOf(page, rules.tokenNames), rules),
        ...(from.hasGap && { hasGap: true }),
      }
      keys?.observe(page.records, counts.pages)
      sections.observe(page, counts)
      return counts
    },
    counts: () => counts,
    keys: () => keys?.counts() ?? null,
    end({ stop, error, isResumed = false }) {
      const { claims } = counts
      const counted = keys?.counts() ?? null
      keys?.release()
      const hasGap = from.hasGap === true
      const proven = sections.end({ stop, error, claims, keys: counted, isResumed, hasGap }, counts)
      return mayHaveMoved({ stop, claims, hasGap }) ? { ...proven, mayHaveMoved: true } : proven
    },
    release: () => keys?.release(),
  }
}

const readInHalves = 'received more than once, because the window of a refused request was read again in halves'

type SectionEnd = Omit<SliceEvidence, 'received' | 'rules'>

/**
 * The sections of a slice that was halved have claims of their own: they are judged as the slices of a stream are. What came before it was
 * halved comes again.
 */
function trackSections(rules: ClaimRules) {
  let number = 0
  let before = 0
  let tally = emptyTally
  const judged = (end: SectionEnd, { received: all, claims }: TrackedCounts) => {
    const received = all - before
    // What is counted for one half may include the other.
    const judgement = judgeSlice({ ...end, received, rules: number === 0 ? rules : { ...rules, isSliced: true } })
    return { judgement, received, keys: end.keys ?? null, claimed: claimedIn(claims) }
  }
  return {
    /** The claims that a page adds to. */
    claimsFor({ section }: Page, { received, claims }: TrackedCounts): Claims | null {
      if (section === undefined || section.number === number) return claims
      ;[number, before] = [section.number, received]
      return null
    },
    /** The last section is judged at the end of the slice, with the keys of all. */
    observe({ section, stop }: Page, counts: TrackedCounts): void {
      if (!section?.stop || stop !== null) return
      tally = addSlice(tally, judged({ stop: section.stop, claims: counts.claims }, counts))
    },
    end(end: SectionEnd, counts: TrackedCounts): ProvenSlice {
      const { keys = null } = end
      if (tally.slices === 0) {
        const { judgement, claimed } = judged(end, counts)
        return { judgement, keys, claimed }
      }
      // What was received again says something about the slice, and nothing about its last section.
      const again = keys === null ? 0 : keys.repeated - keys.changed
      const last = judged({ ...end, keys: keys === null ? null : { ...keys, repeated: keys.changed } }, counts)
      const all = addSlice(tally, { ...last, keys })
      const judgement = judgeStream(all)
      const { claimed } = shownIn(all)
      if (again === 0 || judgement.verdict === 'incomplete') return { judgement, keys, claimed }
      return { judgement: withDoubt(judgement, `${count(again, 'record')} ${readInHalves}`), keys, claimed }
    },
  }
}
