/** The newest hashes, where they were seen and with what mark: in a flat array, whatever their number. */
import type { Hash } from './hash.ts'
import { openTable, type Sighting, type Table, tableBytes } from './table.ts'

export type Recent = {
  /** The latest sighting of this hash; null when it is new or long ago. Takes note of this one, at a `place` from 1. */
  see(hash: Hash, mark: number, place: number): Sighting | null
  bytes(): number
}

/** What it comes to at most. */
export const recentBytes = (limit: number) => 2 * tableBytes(limit)

/** At least the newest `limit` are known, at most twice as many: when the young are so many, the old ones are forgotten. */
export function openRecent(limit: number): Recent {
  let young = openTable()
  let old: Table | null = null
  return {
    see(hash, mark, place) {
      if (young.size() >= limit) {
        old = young
        young = openTable()
      }
      return young.see(hash, mark, place) ?? old?.see(hash, mark, place, false) ?? null
    },
    bytes: () => young.bytes() + (old?.bytes() ?? 0),
  }
}
