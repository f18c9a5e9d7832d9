/** Hashes → whether they were probably seen before, in four bytes each and at a known rate of error. */
import type { Hash } from './hash.ts'

export type SeenFilter = {
  /**
   * `new`: never seen, and noted now. `same`, `changed`: probably seen before, its last mark the same or not. `full`: not
   * seen as far as is known, and not noted.
   */
  see(hash: Pick<Hash, 'low' | 'high'>, mark: number): 'new' | 'same' | 'changed' | 'full'
  size(): number
  bytes(): number
}

/** What a hash that was never seen is taken for a known one with, at most: one in two million. */
export const filterErrorRate = 5e-7

/** The fill limit: above it, searches for a free slot get long, and the error rate rises. */
const fullest = 3 / 4

export const filterCapacity = (slots: number) => slots * fullest

/**
 * A hash is stored in the first free slot from where its low half points, as 24 bits of its high half and 8 bits of its mark.
 * One that was never seen is compared with the slots up to a free one: 7.5 on average when the filter is full, so that it is
 * taken for another in 7.5 of 2^24 cases. A Bloom filter would need as many bits for that, touch twenty places instead of one
 * or two, and know no marks.
 */
export function openFilter(slots: number): SeenFilter {
  const table = new Int32Array(slots)
  let size = 0
  return {
    see({ low, high }, mark) {
      // A free slot is 0, so no print may be.
      const print = (high >>> 8 || 1) << 8
      const word = print | (mark & 0xff)
      let slot = low & (slots - 1)
      for (;;) {
        const known = table[slot] as number
        if (known === 0) break
        if (((known ^ print) & ~0xff) === 0) {
          table[slot] = word
          return known === word ? 'same' : 'changed'
        }
        slot = (slot + 1) & (slots - 1)
      }
      if (size >= slots * fullest) return 'full'
      table[slot] = word
      size++
      return 'new'
    },
    size: () => size,
    bytes: () => table.byteLength,
  }
}
