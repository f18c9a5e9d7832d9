/** The pages of a slice → which of them repeat records of earlier pages. */
import type { PageSummary } from './page-summary.ts'

export type Repeats = {
  /** Whether records are distinguishable: identical rows show nothing when they repeat. */
  readonly areDistinguishable: boolean
  /** Distinct records; all of them where they are not distinguishable. */
  readonly distinct: number
  readonly repeated: number
  readonly pages: readonly PageRepeat[]
}

type PageRepeat = {
  readonly page: PageSummary
  /** How many of its records earlier pages brought. */
  readonly again: number
  /** The first page with the same records, no more and no less; null when there is none. */
  readonly sameAs: PageSummary | null
  /** Whether those are the same in every field: under the same keys there may be other records, or later versions. */
  readonly isUnchanged: boolean
}

export function repeatsIn(pages: readonly PageSummary[]): Repeats {
  if (pages.some(({ prints }) => new Set(prints).size < prints.length)) return unknownRepeats(pages)
  const seen = new Set<string>()
  const whole = new Map<string, PageSummary>()
  const found = pages.map((page): PageRepeat => {
    const again = page.prints.filter((print) => seen.has(print)).length
    for (const print of page.prints) seen.add(print)
    const key = page.prints.toSorted().join()
    const earlier = whole.get(key) ?? null
    if (earlier === null && page.received > 0) whole.set(key, page)
    const sameAs = page.received > 0 ? earlier : null
    const isUnchanged = sameAs?.contents.toSorted().join() === page.contents.toSorted().join()
    return { page, again, sameAs, isUnchanged }
  })
  return {
    areDistinguishable: true,
    distinct: seen.size,
    repeated: found.reduce((sum, { again }) => sum + again, 0),
    pages: found,
  }
}

/** For records that are not distinguishable, or a manifest that may restart its pages. */
export function unknownRepeats(pages: readonly PageSummary[]): Repeats {
  const received = pages.reduce((sum, page) => sum + page.received, 0)
  const unknown = pages.map((page) => ({ page, again: 0, sameAs: null, isUnchanged: false }))
  return { areDistinguishable: false, distinct: received, repeated: 0, pages: unknown }
}

/**
 * How many records of one page come again at the start of the next, unchanged; 0 when they do not meet. A record that
 * differs under the same key was changed in between.
 */
export function overlapOf(page: PageSummary, next: PageSummary): number {
  const [first] = next.contents
  const at = first === undefined ? -1 : page.contents.indexOf(first)
  if (at === -1) return 0
  const tail = page.contents.slice(at)
  return tail.every((print, index) => next.contents[index] === print) ? tail.length : 0
}
