/** Dialects that hand out what to send next: an opaque cursor, or the key of the last record. */
import { readCursor, writeCursor } from '../cursor.ts'
import { type Answer, type Question, Refusal } from '../exchange.ts'
import type { JsonText } from '../json-text.ts'
import { objectAt, oneOf, readForm, readJsonBody, readPageSize, readWhole, unquoted } from '../parameters.ts'
import { placeOfRow } from '../faults/turn-page.ts'
import { takePage } from '../take-page.ts'

type CursorPage = { records: JsonText; nextCursor: string | null; total: number; page: number }

/** The end is a null. */
export function cursor(question: Question): Answer {
  const { records, nextCursor, page } = pageInQuery(question)
  return { body: { data: records, meta: { next_token: nextCursor } }, page }
}

/** The end is a header that is not there. */
export function cursorHeader(question: Question): Answer {
  const { records, nextCursor, page } = pageInQuery(question)
  return { body: { data: records }, headers: nextCursor === null ? {} : { 'X-Next-Cursor': nextCursor }, page }
}

/** The end is a member that is not there. */
export function search(question: Question): Answer {
  const asked = objectAt('page', readJsonBody(question)['page'])
  const size = unquoted('page.size', asked['size'])
  const { records, nextCursor, total, page } = pageAt(question, ['page.cursor', asked['cursor']], ['page.size', size])
  return { body: { results: records, page: { total, next_cursor: nextCursor ?? undefined } }, page }
}

/** The end is an empty text, as Slack has it. */
export function form(question: Question): Answer {
  const fields = readForm(question)
  const size = oneOf(fields, 'size')
  const { records, nextCursor, page } = pageAt(question, ['cursor', oneOf(fields, 'cursor')], ['size', size])
  return { body: { items: records, next_cursor: nextCursor ?? '' }, page }
}

/** Relay's connection. The query must be there but is not read: every field comes back. */
export function graphql(question: Question): Answer {
  const { query, variables } = readJsonBody(question)
  if (typeof query !== 'string' || query.trim() === '') {
    throw new Refusal(400, 'query must be a GraphQL query.', { field: 'query' })
  }
  const { after, first } = objectAt('variables', variables ?? undefined)
  const size = unquoted('variables.first', first)
  const taken = pageAt(question, ['variables.after', after], ['variables.first', size])
  const { records: nodes, nextCursor, total: totalCount, page } = taken
  const pageInfo = { endCursor: nextCursor, hasNextPage: nextCursor !== null }
  return { body: { data: { records: { totalCount, nodes, pageInfo } } }, page }
}

/** Goes on after the record with a known id, as Stripe does. */
export function afterKey(question: Question): Answer {
  const { query, dataset, hooks } = question
  const lastId = readWhole('after', oneOf(query, 'after'), { least: 0, otherwise: 0 })
  const limit = readPageSize(question, 'limit', oneOf(query, 'limit'))
  // Ids count from 1 and rows from 0, so the row after a record is its id.
  const { records, next, page } = takePage(question, placeOfRow(lastId, limit, dataset.size, hooks))
  return { body: { data: records, has_more: next !== null }, page }
}

export function pageInQuery(question: Question): CursorPage {
  const { query } = question
  return pageAt(question, ['cursor', oneOf(query, 'cursor')], ['limit', oneOf(query, 'limit')])
}

type Field = [name: string, given: unknown]

function pageAt(question: Question, [cursorName, given]: Field, [sizeName, size]: Field): CursorPage {
  const { dataset, start } = readCursor(cursorName, given, question)
  const limit = readPageSize(question, sizeName, size)
  const isPlaced = given !== undefined && given !== null
  const { records, next, total, page } = takePage({ ...question, dataset }, { start, limit, isPlaced, by: 'record' })
  return { records, nextCursor: next === null ? null : writeCursor(dataset, next), total, page }
}
