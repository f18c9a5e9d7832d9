/** Dialects that hand out the whole next request, and the one that has no next request. */
import { type Answer, type Question, Refusal } from '../exchange.ts'
import { pathTo, urlTo } from '../links.ts'
import { takeRecords } from '../records.ts'
import { pageInQuery } from './cursor.ts'

// One answer of this size is some 30 MB; a billion records would fill the memory.
const allCap = 100_000

export function nextUrl(question: Question): Answer {
  const { records, nextCursor } = pageInQuery(question)
  return { body: { data: records, links: { next: nextCursor && urlTo(question, { cursor: nextCursor }) } } }
}

export function nextPath(question: Question): Answer {
  const { records, nextCursor } = pageInQuery(question)
  return { body: { data: records, next: nextCursor && pathTo(question, { cursor: nextCursor }) } }
}

export function all({ dataset }: Question): Answer {
  if (dataset.size > allCap) {
    throw new Refusal(400, `size must be at most ${allCap} where there are no pages.`, { field: 'size' })
  }
  return { body: { data: takeRecords(dataset, 0, dataset.size).records } }
}
