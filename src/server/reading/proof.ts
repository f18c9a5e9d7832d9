/** The pages of a test read, one after the other → what they prove about its completeness. */
import type { Page } from '../../engine/pages/page.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import { type Claims, readClaims } from '../../insight/claims.ts'
import type { Judgement } from '../../insight/evidence.ts'
import { type KeyTracker, trackKeys } from '../../insight/keys.ts'
import { claimRulesOf, factsOf } from '../../insight/page-facts.ts'
import { addSlice, emptyTally, judgeStream } from '../../insight/stream-verdict.ts'
import { totalIn } from '../../insight/total.ts'
import { judgeSlice } from '../../insight/verdict.ts'

export type Proof = {
  /** A page, or a part of one. `page` from 1. */
  readonly observe: (slice: number, part: Page, page: number) => void
  /** Of a read that came to its end. */
  readonly verdict: () => Judgement
  /** Of any other: only that records came twice can be said. */
  readonly partialVerdict: () => Judgement | null
}

export function openProof(stream: OpenStream): Proof {
  const rules = claimRulesOf(stream)
  const { primaryKey } = stream.plan
  let tally = emptyTally
  let current: { slice: number; claims: Claims | null; received: number; keys: KeyTracker } | null = null
  let repeatedPage: number | null = null

  return {
    observe(slice, part, page) {
      if (current?.slice !== slice) current = { slice, claims: null, received: 0, keys: trackKeys({ primaryKey }) }
      current.claims = readClaims(current.claims, factsOf(part), rules)
      current.received += part.receivedCount
      current.keys.observe(part.records, page)
      const keys = current.keys.counts()
      repeatedPage ??= keys?.repeatedPage ?? null
      if (part.stop === null) return
      const { claims, received } = current
      const judgement = judgeSlice({ received, stop: part.stop, claims, keys, rules })
      tally = addSlice(tally, { judgement, received, total: claims === null ? null : (totalIn(claims)?.last ?? null) })
    },
    verdict: () => judgeStream(tally),
    partialVerdict() {
      if (repeatedPage === null) return null
      return { verdict: 'duplicated', reason: `page ${repeatedPage} brought only records of earlier pages` }
    },
  }
}
