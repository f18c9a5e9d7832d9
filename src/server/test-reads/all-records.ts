/** The records of all pages of a test read as one list: a part of it, or of those that a search finds. */
import { setImmediate } from 'node:timers/promises'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import type { Redactor } from '../../engine/secrets/redact.ts'
import { hasText } from '../../std/values/has-text.ts'
import type { AllRecordsPart } from '../wire/test-read.ts'
import type { OpenCapture, PlacedPage } from './captures.ts'
import { jsonLength } from './show-page.ts'

export type RecordsQuery = { readonly from: number; readonly count: number; readonly search: string }

/** Searched in about ten milliseconds; other requests are handled in between. */
const portion = 1000
/** As for the records of one page. */
const mostCharacters = 4 * 1024 * 1024
const mostSearches = 8

type Row = { readonly page: PlacedPage; readonly record: JsonRecord }

export function openAllRecords() {
  /** Scrolling asks for many parts of the same search. */
  const searches = new Map<string, Promise<readonly number[]>>()

  const find = (read: OpenCapture, pages: readonly PlacedPage[], search: string) => {
    // A page that is no longer kept moves the rows after it.
    const kept = pages.filter(({ page }) => page !== null).length
    const key = JSON.stringify([read.id, pages.length, kept, search])
    const found = searches.get(key) ?? matches(rowsOf(pages), search, read.stream.redactor)
    searches.delete(key)
    searches.set(key, found)
    const [oldest] = searches.keys()
    if (searches.size > mostSearches && oldest !== undefined) searches.delete(oldest)
    return found
  }
  return async (
    { read, pages }: { read: OpenCapture; pages: readonly PlacedPage[] },
    { from, count, search }: RecordsQuery,
  ): Promise<AllRecordsPart> => {
    const { redactor } = read.stream
    const rows = rowsOf(pages)
    const found = search === '' ? null : await find(read, pages, search)
    const shown: AllRecordsPart['records'] = []
    let left = mostCharacters
    for (let index = from; index < from + count && left > 0; index++) {
      const row = rows.at(found === null ? index : (found[index] ?? -1))
      if (row === null) break
      left -= jsonLength(row.record, left)
      const { slice, page } = row.page.position
      shown.push({ slice, page, record: redactor.value(row.record) as JsonRecord })
    }
    const notKept = pages.filter(({ page }) => page === null).length
    return { total: rows.total, found: found === null ? rows.total : found.length, from, records: shown, notKept }
  }
}

type Rows = { readonly total: number; readonly at: (index: number) => Row | null }

/** Pages that are no longer kept have no rows. */
export function rowsOf(pages: readonly PlacedPage[]): Rows {
  const starts: number[] = []
  let total = 0
  for (const { page } of pages) {
    starts.push(total)
    total += page?.records.length ?? 0
  }
  return {
    total,
    at(index) {
      if (index < 0 || index >= total) return null
      let [low, high] = [0, pages.length - 1]
      while (low < high) {
        const middle = Math.ceil((low + high) / 2)
        if ((starts[middle] ?? 0) <= index) low = middle
        else high = middle - 1
      }
      const page = pages[low]
      const record = page?.page?.records[index - (starts[low] ?? 0)]
      return page === undefined || record === undefined ? null : { page, record }
    },
  }
}

async function matches(rows: Rows, search: string, redactor: Redactor): Promise<readonly number[]> {
  const wanted = search.toLowerCase()
  const found: number[] = []
  for (let index = 0; index < rows.total; index++) {
    if (index % portion === portion - 1) await setImmediate()
    if (hasText(redactor.value(rows.at(index)?.record), wanted)) found.push(index)
  }
  return found
}
