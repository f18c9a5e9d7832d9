/** Slices, pages and exchanges as they come → what belongs to what. One slice and one page at a time. */
import type { Page } from '../../engine/pages/page.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import type { StreamState } from '../../engine/slices/cursor.ts'
import type { Exchange } from '../../engine/response/observe.ts'

export type ReadSlice = {
  readonly slice: Slice
  readonly pages: ReadPage[]
  readonly jobs: Exchange[]
  /** What to store once it is read; null when nothing is new since the slice before. */
  state: { readonly state: StreamState; readonly records: number } | null
}

export type ReadPage = {
  /** Null where something was asked for and no page came of it. */
  readonly page: Page | null
  /** What was exchanged for it, in order; none where the answer was there already. */
  readonly exchanges: readonly Exchange[]
  readonly records: Page['records']
}

export type Collected = {
  readonly slices: readonly ReadSlice[]
  readonly auxiliary: readonly Exchange[]
}

export function collectRead() {
  const slices: ReadSlice[] = []
  const auxiliary: Exchange[] = []
  let asked: Exchange[] = []
  let wasAsked = false
  /** Records that no state has told of yet. */
  let untold = 0

  /** What was asked since the last page, and brought none, is why the slice failed. */
  const settle = () => {
    if (asked.length > 0) slices.at(-1)?.pages.push({ page: null, exchanges: asked, records: [] })
    asked = []
  }
  return {
    begin(slice: Slice) {
      settle()
      slices.push({ slice, pages: [], jobs: [], state: null })
    },
    exchange(exchange: Exchange) {
      const { purpose } = exchange
      wasAsked = true
      if (purpose === undefined) asked.push(exchange)
      else if (purpose.kind === 'job') slices.at(-1)?.jobs.push(exchange)
      else auxiliary.push(exchange)
    },
    page(page: Page) {
      const pages = slices.at(-1)?.pages
      untold += page.records.length
      // Another part of a body that is larger than memory.
      if (page.part > 0) pages?.at(-1)?.records.push(...page.records)
      else pages?.push({ page, exchanges: asked, records: [...page.records] })
      asked = []
    },
    state(state: StreamState) {
      const last = slices.at(-1)
      if (last !== undefined) last.state = { state, records: (last.state?.records ?? 0) + untold }
      untold = 0
    },
    end(): Collected {
      settle()
      // Airbyte: a slice for which nothing was asked is not told of.
      return { slices: slices.filter(({ pages, jobs }) => pages.length > 0 || jobs.length > 0), auxiliary }
    },
    /** Nothing was asked yet. */
    isUntouched: () => !wasAsked,
  }
}
