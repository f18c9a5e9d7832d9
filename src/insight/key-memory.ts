/** The keys of slices that are read side by side, in one bounded space: exactly at first, then by a filter. */
import { type Filter, openFilter } from '../memory/filter.ts'
import type { Hash } from '../memory/hash.ts'
import { openRecent, type Recent } from '../memory/recent.ts'
import { openTable, type Sighting, type Table } from '../memory/table.ts'

/** Where a key was seen before. A filter knows neither the page nor, for certain, the key. */
export type SeenKey =
  | { readonly kind: 'certain'; readonly page: number; readonly isChanged: boolean }
  | { readonly kind: 'probable'; readonly isChanged: boolean }
  | { readonly kind: 'uncounted' }

export type SliceKeys = {
  /** Keys of different slices are different keys: their hashes begin with it. */
  readonly seed: number
  /** Null when the key is new. */
  see(key: Hash, print: number, page: number): SeenKey | null
  /** Whether the filter was asked. */
  usesFilter(): boolean
  /** Gives the space to other slices; nothing may be seen after it. */
  release(): void
}

export type KeyMemory = {
  open(): SliceKeys
  bytes(): number
}

export type KeyLimits = {
  /** Keys remembered exactly. */
  readonly exactKeys: number
  /** Of the others, the newest that are known as they are: a page may repeat rows of its own or of the one before. */
  readonly recentKeys: number
  /** For all of the others; a power of two. */
  readonly filterSlots: number
}

/** 64 bytes a key at most, then 1 MB of recent keys and 32 MB of filter, for all slices of a stream that are being read. */
export const keyLimits: KeyLimits = { exactKeys: 200_000, recentKeys: 2 ** 14, filterSlots: 2 ** 23 }

export function openKeyMemory({ exactKeys, recentKeys, filterSlots }: KeyLimits = keyLimits): KeyMemory {
  const tables = new Set<Table>()
  let exact = 0
  let overflow: { readonly filter: Filter; readonly recent: Recent } | null = null
  let overflowUsers = 0
  let slices = 0

  const byFilter = (key: Hash, print: number, page: number): SeenKey | null => {
    overflow ??= { filter: openFilter(filterSlots), recent: openRecent(recentKeys) }
    const seen = overflow.recent.see(key, print, page)
    const known = overflow.filter.see(key, print)
    if (seen !== null) return certain(seen)
    switch (known) {
      case 'new':
        return null
      case 'same':
        return probable.same
      case 'changed':
        return probable.changed
      case 'full':
        return uncounted
    }
  }
  const open = (): SliceKeys => {
    let table: Table | null = null
    let usesFilter = false
    let isReleased = false
    return {
      seed: ++slices,
      see(key, print, page) {
        // Room that others leave later is not taken: what is in the filter would be new to the table.
        const hasRoom = !usesFilter && exact < exactKeys
        if (table === null && hasRoom) tables.add((table = openTable()))
        const seen = table?.see(key, print, page, hasRoom) ?? null
        if (seen !== null) return certain(seen)
        if (hasRoom) {
          exact++
          return null
        }
        if (!usesFilter) overflowUsers++
        usesFilter = true
        return byFilter(key, print, page)
      },
      usesFilter: () => usesFilter,
      release() {
        if (isReleased) return
        isReleased = true
        if (table !== null) {
          exact -= table.size()
          tables.delete(table)
          table = null
        }
        // What a slice leaves in the filter does no harm to others but takes room, until the last of them ends.
        if (usesFilter && --overflowUsers === 0) overflow = null
      },
    }
  }
  return {
    open,
    bytes() {
      const shared = overflow === null ? 0 : overflow.filter.bytes() + overflow.recent.bytes()
      return [...tables].reduce((sum, table) => sum + table.bytes(), shared)
    },
  }
}

function certain({ place, isSameMark }: Sighting): SeenKey {
  return { kind: 'certain', page: place, isChanged: !isSameMark }
}

const probable = {
  same: { kind: 'probable', isChanged: false },
  changed: { kind: 'probable', isChanged: true },
} as const satisfies Record<string, SeenKey>
const uncounted: SeenKey = { kind: 'uncounted' }
