/** What a read proves about its own completeness: of one slice, and of the slices of a stream together. */
import type { SliceEnd } from '../../engine/pages/page.ts'
import type { Claims } from '../claims/read-claims.ts'
import { endingOf } from '../verdict/ending.ts'
import type { Judgement } from '../verdict/verdict.ts'
import type { KeyCounts } from '../keys/track-keys.ts'
import { placeName } from '../claims/response-place.ts'
import { pageTotalIn, totalIn } from '../claims/total.ts'

/** Plain JSON, without secrets. */
export type SliceReceipt = SliceEnd & Judgement & Shown

/** What the verdict rests on. */
export type Shown = {
  /** Primary keys that came; null where the stream names none. */
  readonly keys: KeyCounts | null
  readonly claimed: Claimed
}

export type Receipt = SliceReceipt & {
  /** All slices that ended so far: on the last page of a read, the whole stream. */
  readonly stream: StreamProof
}

/** Of all slices together. A key that two slices bring counts in each. */
export type StreamProof = Judgement &
  Shown & {
    readonly slices: number
    readonly pages: number
    readonly received: number
    readonly emitted: number
  }

/** What the API itself said; null where it said nothing that can be relied on. `at` is where: `meta.total`, `header link next`. */
export type Claimed = {
  readonly total: Claim<number> | null
  readonly pages: Claim<number> | null
  /** Whether its last page says that another one follows. */
  readonly more: (Claim<boolean> & { readonly by: 'flag' | 'link' | 'token' }) | null
}

export type Claim<Value> = { readonly value: Value; readonly at: string }

export const noClaims: Claimed = { total: null, pages: null, more: null }

export function claimedIn(claims: Claims | null): Claimed {
  if (claims === null) return noClaims
  const total = totalIn(claims)
  const pages = pageTotalIn(claims)
  const ending = endingOf(claims)
  return {
    total: total && { value: total.last, at: placeName(total.place) },
    pages: pages && { value: pages.last, at: placeName(pages.place) },
    more: ending && { value: ending.says === 'more', at: placeName(ending.claim.place), by: ending.claim.kind },
  }
}
