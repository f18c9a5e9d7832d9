/** The keys of slices that are read concurrently, in bounded memory: exact at first, then in a probabilistic filter. */
import { type SeenFilter, filterCapacity, openFilter } from '../../std/hashing/seen-filter.ts'
import {
  Batch,
  openRecent,
  openHashTable,
  type Recent,
  recentBytes,
  type Sighting,
  type HashTable,
} from '../../std/hashing/hash-table.ts'
import { Hash } from '../../std/hashing/hash.ts'

/** Where a key was seen before. A filter knows neither the page nor, for certain, the key. */
export type SeenKey =
  | { readonly kind: 'certain'; readonly page: number; readonly isChanged: boolean }
  | { readonly kind: 'probable'; readonly isChanged: boolean }
  | { readonly kind: 'uncounted' }

type SliceKeys = {
  /** Keys of different slices are different keys: their hashes begin with it. */
  readonly seed: number
  /** The keys of a page, or some of them, each marked with the print of its record: calls back for those that are not new. */
  see(batch: Batch, page: number, onSeen: (row: number, seen: SeenKey) => void): void
  /** Whether the filter was asked. */
  usesFilter(): boolean
  /** Gives the space to other slices; nothing may be seen after it. */
  release(): void
}

export type KeyMemory = {
  open(): SliceKeys
  /** Filled and used without a wait in between, so that all slices can share it. */
  readonly batch: Batch
  bytes(): number
}

type KeyLimits = {
  /** Keys remembered exactly. */
  readonly exactKeys: number
  /** Of the others, the newest that are known as they are: a page may repeat rows of its own or of the one before. */
  readonly recentKeys: number
  /** For all of the others; a power of two. */
  readonly filterSlots: number
}

/** 48 bytes a key at most, then 256 KB of recent keys and 32 MB of filter, for all slices of a stream that are being read. */
export const keyLimits: KeyLimits = { exactKeys: 200_000, recentKeys: 2 ** 12, filterSlots: 2 ** 23 }

/** What the keys of a stream come to at most, and how many are counted. */
export const keyBytes = {
  exact: keyLimits.exactKeys * 48,
  recent: recentBytes(keyLimits.recentKeys),
  filter: keyLimits.filterSlots * 4,
}
export const keyCapacity = filterCapacity(keyLimits.filterSlots)

/** Shared by the slices that have more keys than fit in memory. */
type Overflow = { readonly filter: SeenFilter; readonly recent: Recent }

export function openKeyMemory({ exactKeys, recentKeys, filterSlots }: KeyLimits = keyLimits): KeyMemory {
  const tables = new Set<HashTable>()
  /** The same object for every key of a batch. */
  const current = new Hash()
  let exact = 0
  let overflow: Overflow | null = null
  let overflowUsers = 0
  let slices = 0

  /** The filter gets all keys of a slice: what is new to it is new. */
  const overflowFor = (table: HashTable | null): Overflow => {
    overflow ??= { filter: openFilter(filterSlots), recent: openRecent(recentKeys) }
    overflowUsers++
    const { filter } = overflow
    table?.forEach((key, print) => filter.see(key, print))
    return overflow
  }
  const open = (): SliceKeys => {
    let table: HashTable | null = null
    /** Once set, it stays: keys that are in the filter would look new to the table. */
    let spilled: Overflow | null = null
    let isReleased = false

    const tableOf = (): HashTable => {
      if (table === null) tables.add((table = openHashTable()))
      return table
    }
    const seeInOverflow = ({ filter, recent }: Overflow, key: Hash, print: number, page: number): SeenKey | null => {
      const known = filter.see(key, print)
      const inTable = known === 'new' ? null : (table?.see(key, print, page, false) ?? null)
      if (inTable !== null) return certain(inTable)
      const lately = recent.see(key, print, page)
      return lately === null ? byFilter[known] : certain(lately)
    }
    const seeOne = (key: Hash, print: number, page: number): SeenKey | null => {
      if (spilled === null && exact >= exactKeys) spilled = overflowFor(table)
      if (spilled !== null) return seeInOverflow(spilled, key, print, page)
      const seen = tableOf().see(key, print, page)
      if (seen === null) exact++
      return seen === null ? null : certain(seen)
    }
    return {
      seed: ++slices,
      see(batch, page, onSeen) {
        const { length, lows, highs, marks, rows } = batch
        if (spilled === null && exact + length <= exactKeys) {
          const own = tableOf()
          const before = own.size()
          own.seeAll(batch, page, (row, seen) => onSeen(row, certain(seen)))
          exact += own.size() - before
          return
        }
        for (let index = 0; index < length; index++) {
          current.low = lows[index] as number
          current.high = highs[index] as number
          const seen = seeOne(current, marks[index] as number, page)
          if (seen !== null) onSeen(rows[index] as number, seen)
        }
      },
      usesFilter: () => spilled !== null,
      release() {
        if (isReleased) return
        isReleased = true
        if (table !== null) {
          exact -= table.size()
          tables.delete(table)
          table = null
        }
        // Keys of a finished slice only take space in the filter, until the last slice ends.
        if (spilled !== null && --overflowUsers === 0) overflow = null
      },
    }
  }
  return {
    open,
    batch: new Batch(),
    bytes() {
      const shared = overflow === null ? 0 : overflow.filter.bytes() + overflow.recent.bytes()
      return [...tables].reduce((sum, table) => sum + table.bytes(), shared)
    },
  }
}

function certain({ place, isSameMark }: Sighting): SeenKey {
  return { kind: 'certain', page: place, isChanged: !isSameMark }
}

const byFilter: Record<ReturnType<SeenFilter['see']>, SeenKey | null> = {
  new: null,
  same: { kind: 'probable', isChanged: false },
  changed: { kind: 'probable', isChanged: true },
  full: { kind: 'uncounted' },
}
