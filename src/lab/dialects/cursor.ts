/** Dialects that hand out what to send next: an opaque cursor, or the key of the last record. */
import { readCursor, writeCursor } from '../cursor.ts'
import { type Answer, type Question, Refusal } from '../exchange.ts'
import type { JsonText } from '../json-text.ts'
import { objectAt, oneOf, readForm, readJsonBody, readPageSize, readWhole, unquoted } from '../parameters.ts'
import { takeRecords } from '../records.ts'

type CursorPage = { records: JsonText; nextCursor: string | null; total: number }

/** The end is a null. */
export function cursor(question: Question): Answer {
  const { records, nextCursor } = pageInQuery(question)
  return { body: { data: records, meta: { next_token: nextCursor } } }
}

/** The end is a header that is not there. */
export function cursorHeader(question: Question): Answer {
  const { records, nextCursor } = pageInQuery(question)
  return { body: { data: records }, headers: nextCursor === null ? {} : { 'X-Next-Cursor': nextCursor } }
}

/** The end is a member that is not there. */
export function search(question: Question): Answer {
  const page = objectAt('page', readJsonBody(question)['page'])
  const size = unquoted('page.size', page['size'])
  const { records, nextCursor, total } = pageAt(question, ['page.cursor', page['cursor']], ['page.size', size])
  return { body: { results: records, page: { total, next_cursor: nextCursor ?? undefined } } }
}

/** The end is an empty text, as Slack has it. */
export function form(question: Question): Answer {
  const fields = readForm(question)
  const { records, nextCursor } = pageAt(question, ['cursor', oneOf(fields, 'cursor')], ['size', oneOf(fields, 'size')])
  return { body: { items: records, next_cursor: nextCursor ?? '' } }
}

/** Relay's connection. The query must be there but is not read: every field comes back. */
export function graphql(question: Question): Answer {
  const { query, variables } = readJsonBody(question)
  if (typeof query !== 'string' || query.trim() === '') {
    throw new Refusal(400, 'query must be a GraphQL query.', { field: 'query' })
  }
  const { after, first } = objectAt('variables', variables ?? undefined)
  const size = unquoted('variables.first', first)
  const page = pageAt(question, ['variables.after', after], ['variables.first', size])
  const pageInfo = { endCursor: page.nextCursor, hasNextPage: page.nextCursor !== null }
  return { body: { data: { records: { totalCount: page.total, nodes: page.records, pageInfo } } } }
}

/** Goes on after the record with a known id, as Stripe does. */
export function afterKey({ query, dataset }: Question): Answer {
  const lastId = readWhole('after', oneOf(query, 'after'), { least: 0, otherwise: 0 })
  // Ids count from 1 and positions from 0, so the position after a record is its id.
  const { records, next } = takeRecords(dataset, lastId, readPageSize('limit', oneOf(query, 'limit')))
  return { body: { data: records, has_more: next !== null } }
}

export function pageInQuery(question: Question): CursorPage {
  const { query } = question
  return pageAt(question, ['cursor', oneOf(query, 'cursor')], ['limit', oneOf(query, 'limit')])
}

type Field = [name: string, given: unknown]

function pageAt(question: Question, [cursorName, given]: Field, [sizeName, size]: Field): CursorPage {
  const { dataset, start } = readCursor(cursorName, given, question)
  const { records, next } = takeRecords(dataset, start, readPageSize(sizeName, size))
  return { records, nextCursor: next === null ? null : writeCursor(dataset, next), total: dataset.size }
}
