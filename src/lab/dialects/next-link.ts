/** Dialects that hand out the whole next request, and the one that has no next request. */
import { type DialectResponse, type Question, Refusal } from '../exchange.ts'
import { pathTo, takePage, urlTo } from '../take-page.ts'
import { pageInQuery } from './cursor.ts'

// One response of this size is some 30 MB; a billion records would fill the memory.
const allCap = 100_000

export function nextUrl(question: Question): DialectResponse {
  const { records, nextCursor, page } = pageInQuery(question)
  return { body: { data: records, links: { next: nextCursor && urlTo(question, { cursor: nextCursor }) } }, page }
}

export function nextPath(question: Question): DialectResponse {
  const { records, nextCursor, page } = pageInQuery(question)
  return { body: { data: records, next: nextCursor && pathTo(question, { cursor: nextCursor }) }, page }
}

export function all(question: Question): DialectResponse {
  const { size } = question.dataset
  if (size > allCap) {
    throw new Refusal(400, `size must be at most ${allCap} where there are no pages.`, { field: 'size' })
  }
  const { records, page } = takePage(question, { start: 0, limit: Math.max(size, 1), isPlaced: false, by: 'records' })
  return { body: { data: records }, page }
}
