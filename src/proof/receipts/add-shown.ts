/** What two slices bring and what their answers claim → the same of both together. */
import { addKeys } from '../keys/add-keys.ts'
import type { Claim, Claimed, Shown } from './receipt.ts'

export function addShown(one: Shown, other: Shown): Shown {
  // Nothing is known about the keys of both where nothing is about those of one.
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

/** One slice that has more is enough; that there is no more, all must say. */
function addMore(one: Claimed['more'], other: Claimed['more']): Claimed['more'] {
  if (one?.value === true) return one
  if (other?.value === true) return other
  return one === null || other === null ? null : one
}
