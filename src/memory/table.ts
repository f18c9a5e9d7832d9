/** Hashes → where they were seen before and with what mark, in one flat array. */
import type { Hash } from './hash.ts'

export type Sighting = {
  readonly place: number
  readonly isSameMark: boolean
}

export type Table = {
  /**
   * The latest sighting of this hash; null when it is new. Takes note of this one, at a `place` from 1; of a new one only
   * where `mayAdd` says so.
   */
  see(hash: Hash, mark: number, place: number, mayAdd?: boolean): Sighting | null
  /** Every hash with its latest mark, in no order. */
  forEach(visit: (hash: Halves, mark: number) => void): void
  size(): number
  bytes(): number
}

type Halves = Pick<Hash, 'low' | 'high'>

/** Two halves of the hash, the mark, the place: 16 bytes a slot; a quarter to a half of the slots are taken. */
const slotWords = 4
/** There may be a table for each of very many slices. */
const firstSlots = 4

/** What a table of so many hashes comes to. */
export function tableBytes(size: number): number {
  let slots = firstSlots
  while (size * 2 > slots) slots *= 2
  return slots * slotWords * Int32Array.BYTES_PER_ELEMENT
}

/** All 64 bits are compared: two of a million hashes are taken for one in one of 40 million walks. */
export function openTable(): Table {
  let slots = firstSlots
  let table = new Int32Array(slots * slotWords)
  let size = 0

  /** The slot of the hash, or the free one where it belongs. A free slot has no place. */
  const find = (low: number, high: number): number => {
    let slot = low & (slots - 1)
    for (;;) {
      const start = slot * slotWords
      if (table[start + 3] === 0 || (table[start] === low && table[start + 1] === high)) return start
      slot = (slot + 1) & (slots - 1)
    }
  }
  const grow = () => {
    const old = table
    slots *= 2
    table = new Int32Array(slots * slotWords)
    for (let start = 0; start < old.length; start += slotWords) {
      if (old[start + 3] === 0) continue
      const target = find(old[start] as number, old[start + 1] as number)
      for (let word = 0; word < slotWords; word++) table[target + word] = old[start + word] as number
    }
  }
  return {
    see({ low, high }, mark, place, mayAdd = true) {
      const start = find(low, high)
      const earlier = table[start + 3] as number
      if (earlier === 0 && !mayAdd) return null
      const isSameMark = table[start + 2] === (mark | 0)
      table[start + 2] = mark
      table[start + 3] = place
      if (earlier !== 0) return { place: earlier, isSameMark }
      table[start] = low
      table[start + 1] = high
      if (++size * 2 > slots) grow()
      return null
    },
    forEach(visit) {
      for (let start = 0; start < table.length; start += slotWords) {
        if (table[start + 3] === 0) continue
        visit({ low: table[start] as number, high: table[start + 1] as number }, table[start + 2] as number)
      }
    },
    size: () => size,
    bytes: () => table.byteLength,
  }
}
