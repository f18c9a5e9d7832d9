/** What a read shows about its own completeness: for one slice, and for all slices of a stream. */
import type { SliceEnd } from '../../engine/pages/page.ts'
import { endingOf, pageTotalIn, totalIn } from '../claims/agreed-claims.ts'
import type { Judgement } from '../verdict/verdict.ts'
import { type KeyCounts, addKeys } from '../keys/track-keys.ts'
import { placeName } from '../claims/response-place.ts'
import type { Claims } from '../claims/merge-claims.ts'

/** Plain JSON, without secrets. */
export type SliceReceipt = SliceEnd & Judgement & Shown

/** What the verdict rests on. */
export type Shown = {
  /** Primary keys received; null where the stream has none. */
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

/** What the API claims; null where it claims nothing reliable. `at` is where: `meta.total`, `header link next`. */
export type Claimed = {
  readonly total: Claim<number> | null
  readonly pages: Claim<number> | null
  /** Whether its last page says that another page follows. */
  readonly more: (Claim<boolean> & { readonly by: 'flag' | 'link' | 'token' }) | null
}

type Claim<Value> = { readonly value: Value; readonly at: string }

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

/** The keys and claims of two slices → those of both together. */
export function addShown(one: Shown, other: Shown): Shown {
  // The keys of both are unknown where those of one are.
  const keys = one.keys === null || other.keys === null ? null : addKeys(one.keys, other.keys)
  return { keys, claimed: addClaimed(one.claimed, other.claimed) }
}

function addClaimed(one: Claimed, other: Claimed): Claimed {
  return {
    total: addNumbers(one.total, other.total),
    pages: addNumbers(one.pages, other.pages),
    more: addMore(one.more, other.more),
  }
}

function addNumbers(one: Claim<number> | null, other: Claim<number> | null): Claim<number> | null {
  return one === null || other === null ? null : { value: one.value + other.value, at: one.at }
}

/** One slice with more is enough; "no more" takes all of them. */
function addMore(one: Claimed['more'], other: Claimed['more']): Claimed['more'] {
  if (one?.value === true) return one
  if (other?.value === true) return other
  return one === null || other === null ? null : one
}
