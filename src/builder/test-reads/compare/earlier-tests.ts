/** What is kept of a stream's last tests, to compare the latest with: requests, counts and times. The server keeps the records. */
import type { ReadPage } from '../../../server/wire/test-read.ts'
import type { ReadState } from '../read-state.ts'

export type ComparedPage = Pick<ReadPage, 'slice' | 'page' | 'tookMs' | 'received' | 'emitted' | 'request'>

export type ComparedTest = {
  readonly id: string
  readonly pages: readonly ComparedPage[]
  /** How long it took, in milliseconds. */
  readonly tookMs: number
  readonly ending: ReadState['ending']
  readonly stopWords: string | null
}

export type EarlierTest = ComparedTest & {
  /** When it began, ms since 1970. */
  readonly begunAt: number
}

/** Enough to see what the last edits changed. */
const mostTests = 5

/** Of a longer test only the first pages are compared. */
const mostPages = 1000

/** The tests before the next one; one without a page, or to pick a value from, is not worth comparing with. */
export function withEarlier(earlier: readonly EarlierTest[], read: ReadState, begunAt: number): readonly EarlierTest[] {
  const test = read.isForPicking ? null : comparedTest(read)
  return test === null ? earlier : [{ ...test, begunAt }, ...earlier].slice(0, mostTests)
}

/** Null where there is nothing to compare. */
export function comparedTest({ id, pages, at, ending }: ReadState): ComparedTest | null {
  if (id === null || pages.length === 0) return null
  return {
    id,
    pages: pages.slice(0, mostPages).map(comparedPage),
    tookMs: at,
    ending,
    stopWords: pages.at(-1)?.stopWords ?? null,
  }
}

/** Without response and records, which are large. */
function comparedPage({ slice, page, tookMs, received, emitted, request }: ReadPage): ComparedPage {
  return { slice, page, tookMs, received, emitted, request }
}
