/** Dialects that number their pages. */
import type { DialectResponse, Question } from '../exchange.ts'
import { type ListPage, takePage, urlTo } from '../take-page.ts'
import { oneOf, readPageSize, readWhole } from '../parameters.ts'
import type { Dress } from '../records.ts'

/** The names of a dialect's parameters, and how it wraps a record. */
type Wording = { page: string; perPage: string; dress?: Dress }

type NumberedPage = ListPage & { number: number; perPage: number; first: number; last: number }

export function pageFromOne(question: Question): DialectResponse {
  return inBody(pageOf(question, oneOf(question.query, 'page'), 1))
}

export function pageFromZero(question: Question): DialectResponse {
  return inBody(pageOf(question, oneOf(question.query, 'page'), 0))
}

export function pageInPath(question: Question): DialectResponse {
  return inBody(pageOf(question, question.placeholder, 1))
}

/** As GitHub does: the body is the list itself, the links are in a header, and a single page has none. */
export function pageInLinkHeader(question: Question): DialectResponse {
  const numbered = pageOf(question, oneOf(question.query, 'page'), 1)
  const links = linksOf(numbered).map(
    ([rel, page]) => `<${urlTo(question, { page, per_page: numbered.perPage })}>; rel="${rel}"`,
  )
  return { body: numbered.records, headers: links.length > 0 ? { Link: links.join(', ') } : {}, page: numbered.page }
}

const resource: Dress = (text, id) => `{"type":"records","id":"${id}","attributes":${text}}`

/** JSON:API 1.1: records are resources, ids are strings, and links name the other pages. */
export function jsonApi(question: Question): DialectResponse {
  const names = { page: 'page[number]', perPage: 'page[size]' }
  const numbered = pageOf(question, oneOf(question.query, names.page), 1, { ...names, dress: resource })
  const link = (page: number) => urlTo(question, { [names.page]: page, [names.perPage]: numbered.perPage })
  const links = linksOf(numbered).map(([rel, page]) => [rel, link(page)])
  return {
    body: {
      data: numbered.records,
      links: { self: link(numbered.number), ...Object.fromEntries(links) },
      meta: { total_pages: numbered.pages },
    },
    page: numbered.page,
  }
}

function pageOf(
  question: Question,
  given: string | undefined,
  first: number,
  { page: pageField, perPage: sizeField, dress }: Wording = { page: 'page', perPage: 'per_page' },
): NumberedPage {
  const asked = readWhole(pageField, given, { least: first, otherwise: first })
  const perPage = readPageSize(question, sizeField, oneOf(question.query, sizeField))
  const start = (asked - first) * perPage
  const taken = takePage(question, { start, limit: perPage, isPlaced: given !== undefined, by: 'pages' }, dress)
  const number = first + Math.floor(taken.start / perPage)
  return { ...taken, number, perPage, first, last: Math.max(first, first + taken.pages - 1) }
}

function inBody({ records, number, perPage, pages, page }: NumberedPage): DialectResponse {
  return { body: { data: records, page: number, per_page: perPage, total_pages: pages }, page }
}

/** The pages worth a link, in GitHub's order. */
function linksOf({ number, perPage, first, last, next }: NumberedPage): [rel: string, page: number][] {
  const isLater = number > first
  return Object.entries({
    ...(isLater && { prev: Math.min(number - 1, last) }),
    ...(next !== null && { next: first + Math.floor(next / perPage), last }),
    ...(isLater && { first }),
  })
}
