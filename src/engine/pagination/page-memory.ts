/** What the loop guard remembers of pages, so that a cycle of any length is found in bounded space. */
import type { Hash } from '../../std/hashing/hash.ts'
import {
  openRecent,
  openHashTable,
  type Recent,
  recentBytes,
  type Sighting,
  type HashTable,
  tableBytes,
} from '../../std/hashing/hash-table.ts'

type PageMemory = {
  /** The latest page remembered with this hash; null when there is none. Takes note of this one, from 1. */
  see(hash: Hash, mark: number, page: number): Sighting | null
  /** Whether this page is one of those kept for longer. */
  isAnchor(page: number): boolean
  bytes(): number
}

type PageLimits = {
  /** The newest pages, all of them. */
  readonly recentPages: number
  /** Pages in a row that are kept for longer. */
  readonly anchorPages: number
}

export const pageLimits: PageLimits = { recentPages: 2 ** 15, anchorPages: 1024 }

/**
 * Short cycles are met among the newest pages. For longer ones some pages in a row are kept from each power of two on until
 * the next, as in Brent's algorithm: once the read is within its cycle, and the power of two is larger than that, the read
 * comes by these pages again.
 */
function openPageMemory({ recentPages, anchorPages }: PageLimits = pageLimits): PageMemory {
  const recent = openRecent(recentPages)
  let anchor: HashTable | null = null
  let anchoredAt = recentPages

  const isAnchor = (page: number) => {
    while (page >= anchoredAt * 2) {
      anchoredAt *= 2
      anchor = openHashTable()
    }
    return anchor !== null && page < anchoredAt + anchorPages
  }
  return {
    see(hash, mark, page) {
      const isKept = isAnchor(page)
      const met = anchor?.see(hash, mark, page, isKept) ?? null
      return recent.see(hash, mark, page) ?? met
    },
    isAnchor,
    bytes: () => recent.bytes() + (anchor?.bytes() ?? 0),
  }
}

/** What the loop guard of one slice holds. */
export type LoopMemory = {
  /** Pages by the cheap fingerprint of their records. */
  readonly contents: PageMemory
  /** By the thorough one, where the cheap one is no identity and came again. */
  readonly wholeContents: PageMemory
  /** Requests that brought no record. */
  readonly emptyRequests: Recent
  bytes(): number
}

/** What it comes to at most. */
export const loopMemoryBytes = 3 * recentBytes(pageLimits.recentPages) + 2 * tableBytes(pageLimits.anchorPages)

export function openLoopMemory(limits: PageLimits = pageLimits): LoopMemory {
  const contents = openPageMemory(limits)
  const wholeContents = openPageMemory(limits)
  const emptyRequests = openRecent(limits.recentPages)
  const bytes = () => contents.bytes() + wholeContents.bytes() + emptyRequests.bytes()
  return { contents, wholeContents, emptyRequests, bytes }
}
