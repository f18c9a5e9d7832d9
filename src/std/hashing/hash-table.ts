/** Hashes → where they were seen before and with what mark, in one flat array. */
import type { Hash } from './hash.ts'

export type Sighting = {
  readonly place: number
  readonly isSameMark: boolean
}

export type HashTable = {
  /**
   * The latest sighting of this hash; null when it is new. Takes note of this one, at a `place` from 1; of a new one only
   * where `mayAdd` says so.
   */
  see(hash: Hash, mark: number, place: number, mayAdd?: boolean): Sighting | null
  /** The same for many hashes, each of which may be added: reports those that are not new. */
  seeAll(batch: Batch, place: number, onSeen: (row: number, seen: Sighting) => void): void
  /** Every hash with its latest mark, the oldest first. */
  forEach(visit: (hash: Halves, mark: number) => void): void
  size(): number
  bytes(): number
}

type Halves = Pick<Hash, 'low' | 'high'>

/** Two halves of the hash, the mark, the place: appended after the slots in order of arrival. */
const entryWords = 4
/** There may be a table for each of very many slices. */
const firstSlots = 4

/** A word for each slot, of which a quarter to a half are taken, and room for as many entries as may be: 48 bytes each at most. */
const wordsOf = (slots: number) => slots + (slots / 2) * entryWords

/** Entries are counted from 1. */
const startOf = (slots: number, entry: number) => slots + (entry - 1) * entryWords

/** What a table of so many hashes comes to. */
export function tableBytes(size: number): number {
  let slots = firstSlots
  while (size * 2 > slots) slots *= 2
  return wordsOf(slots) * Int32Array.BYTES_PER_ELEMENT
}

/**
 * The low half of a hash points to its slot, which holds the rest of that half and the number of the entry, from 1: what
 * is new need not be compared with entries, and the slots, which are asked in no order, stay in the processor's cache: those
 * of 100,000 hashes are a megabyte.
 *
 * All 64 bits are compared: two of a million hashes are taken for one in one of 40 million reads.
 */
export function openHashTable(): HashTable {
  let slots = firstSlots
  let table = new Int32Array(wordsOf(slots))
  let size = 0

  /** The slot of the hash, or the free one where it belongs. A free slot is 0. */
  const find = (words: Int32Array, low: number, high: number): number => {
    const mask = slots - 1
    let slot = low & mask
    for (;;) {
      const word = words[slot] as number
      if (word === 0) return slot
      if (((word ^ low) & ~mask) === 0) {
        const start = startOf(slots, word & mask)
        if (words[start] === low && words[start + 1] === high) return slot
      }
      slot = (slot + 1) & mask
    }
  }
  const grow = () => {
    const entries = table.subarray(slots)
    slots *= 2
    const words = (table = new Int32Array(wordsOf(slots)))
    words.set(entries, slots)
    for (let entry = 1; entry <= size; entry++) {
      const start = startOf(slots, entry)
      const low = words[start] as number
      words[find(words, low, words[start + 1] as number)] = (low & -slots) | entry
    }
  }
  const add = (low: number, high: number, mark: number, place: number, free: number) => {
    const isFull = size * 2 === slots
    if (isFull) grow()
    const words = table
    const start = startOf(slots, ++size)
    words[isFull ? find(words, low, high) : free] = (low & -slots) | size
    words[start] = low
    words[start + 1] = high
    words[start + 2] = mark
    words[start + 3] = place
  }
  const see = (low: number, high: number, mark: number, place: number, mayAdd: boolean): Sighting | null => {
    const words = table
    const slot = find(words, low, high)
    const entry = (words[slot] as number) & (slots - 1)
    if (entry === 0) {
      if (mayAdd) add(low, high, mark, place, slot)
      return null
    }
    const start = startOf(slots, entry)
    const seen = { place: words[start + 3] as number, isSameMark: words[start + 2] === (mark | 0) }
    words[start + 2] = mark
    words[start + 3] = place
    return seen
  }
  return {
    see: ({ low, high }, mark, place, mayAdd = true) => see(low, high, mark, place, mayAdd),
    seeAll({ length, lows, highs, marks, rows }, place, onSeen) {
      for (let index = 0; index < length; index++) {
        const seen = see(lows[index] as number, highs[index] as number, marks[index] as number, place, true)
        if (seen !== null) onSeen(rows[index] as number, seen)
      }
    },
    forEach(visit) {
      for (let start = slots; start < startOf(slots, size + 1); start += entryWords) {
        visit({ low: table[start] as number, high: table[start + 1] as number }, table[start + 2] as number)
      }
    },
    size: () => size,
    bytes: () => table.byteLength,
  }
}

export class Batch {
  static readonly capacity = 128
  /** How many there are. */
  length = 0
  readonly lows = new Int32Array(Batch.capacity)
  readonly highs = new Int32Array(Batch.capacity)
  readonly marks = new Int32Array(Batch.capacity)
  /** The index of each hash, as its caller counts. */
  readonly rows = new Int32Array(Batch.capacity)

  add({ low, high }: Pick<Hash, 'low' | 'high'>, mark: number, row: number): void {
    const { length } = this
    this.lows[length] = low
    this.highs[length] = high
    this.marks[length] = mark
    this.rows[length] = row
    this.length = length + 1
  }
}

export type Recent = {
  /** The latest sighting of this hash; null when it is new or long ago. Takes note of this one, at a `place` from 1. */
  see(hash: Hash, mark: number, place: number): Sighting | null
  bytes(): number
}

/** What it comes to at most. */
export const recentBytes = (limit: number) => 2 * tableBytes(limit)

/** At least the newest `limit` are known, at most twice as many: when the young are so many, the old ones are forgotten. */
export function openRecent(limit: number): Recent {
  let young = openHashTable()
  let old: HashTable | null = null
  return {
    see(hash, mark, place) {
      if (young.size() >= limit) {
        old = young
        young = openHashTable()
      }
      return young.see(hash, mark, place) ?? old?.see(hash, mark, place, false) ?? null
    },
    bytes: () => young.bytes() + (old?.bytes() ?? 0),
  }
}
