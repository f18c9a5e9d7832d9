/** How the pages of a stream are read. */
import type { PageToken } from '../request/page-token.ts'

export type ReadOptions = {
  /** Go on from this token instead of the first page. */
  readonly from?: PageToken | null | undefined
  /** The page after this many is not asked for. */
  readonly maxPages?: number | undefined
  /** `off`: a page is asked for only when the reader wants it. Otherwise as soon as its token is known. */
  readonly prefetch?: 'auto' | 'off' | number | undefined
  readonly signal?: AbortSignal | undefined
}

/** What of it counts for the parents of a stream as well. */
export type ParentOptions = Pick<ReadOptions, 'prefetch' | 'signal'>
