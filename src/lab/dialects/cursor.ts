/** Dialects that hand out what to send next: an opaque cursor, or the key of the last record. */
import { type DialectResponse, type Question, Refusal } from '../exchange.ts'
import { placeOfRow } from '../faults/serve-page.ts'
import type { Dataset, JsonText } from '../records.ts'
import { objectAt, oneOf, readForm, readJsonBody, readPageSize, readWhole, refuseQuoted } from '../parameters.ts'
import { takePage } from '../take-page.ts'

type CursorPage = { records: JsonText; nextCursor: string | null; total: number; page: number }

/** The end is a null. */
export function cursor(question: Question): DialectResponse {
  const { records, nextCursor, page } = pageInQuery(question)
  return { body: { data: records, meta: { next_token: nextCursor } }, page }
}

/** The end is a header that is not there. */
export function cursorHeader(question: Question): DialectResponse {
  const { records, nextCursor, page } = pageInQuery(question)
  return { body: { data: records }, headers: nextCursor === null ? {} : { 'X-Next-Cursor': nextCursor }, page }
}

/** The end is a member that is not there. */
export function search(question: Question): DialectResponse {
  const asked = objectAt('page', readJsonBody(question)['page'])
  const size = refuseQuoted('page.size', asked['size'])
  const { records, nextCursor, total, page } = pageAt(question, ['page.cursor', asked['cursor']], ['page.size', size])
  return { body: { results: records, page: { total, next_cursor: nextCursor ?? undefined } }, page }
}

/** The end is an empty string, as in Slack's API. */
export function form(question: Question): DialectResponse {
  const fields = readForm(question)
  const size = oneOf(fields, 'size')
  const { records, nextCursor, page } = pageAt(question, ['cursor', oneOf(fields, 'cursor')], ['size', size])
  return { body: { items: records, next_cursor: nextCursor ?? '' }, page }
}

/** Relay's connection. The query must be there but is not read: every field comes back. */
export function graphql(question: Question): DialectResponse {
  const { query, variables } = readJsonBody(question)
  if (typeof query !== 'string' || query.trim() === '') {
    throw new Refusal(400, 'query must be a GraphQL query.', { field: 'query' })
  }
  const { after, first } = objectAt('variables', variables ?? undefined)
  const size = refuseQuoted('variables.first', first)
  const taken = pageAt(question, ['variables.after', after], ['variables.first', size])
  const { records: nodes, nextCursor, total: totalCount, page } = taken
  const pageInfo = { endCursor: nextCursor, hasNextPage: nextCursor !== null }
  return { body: { data: { records: { totalCount, nodes, pageInfo } } }, page }
}

/** Continues after the record with a known id, as Stripe does. */
export function afterKey(question: Question): DialectResponse {
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

/** The cursor that starts at `position`. It holds the size too, so that a read stays within one dataset. */
function writeCursor(dataset: Dataset, position: number): string {
  return Buffer.from(JSON.stringify([dataset.name, position, dataset.size])).toString('base64url')
}

/** The dataset and the position of a cursor; the beginning without a cursor. */
function readCursor(field: string, given: unknown, question: Question): { dataset: Dataset; start: number } {
  if (given === undefined || given === null) return { dataset: question.dataset, start: 0 }
  const { name } = question.dataset
  const [of, start, size] = typeof given === 'string' ? contentOf(given) : []
  if (of === name && typeof start === 'number' && typeof size === 'number') {
    const dataset = { name, size }
    // Decoding is lenient; only what this lab wrote reads back the same.
    const isWithin = Number.isSafeInteger(start) && start >= 0 && start <= longest(question, size)
    if (isWithin && writeCursor(dataset, start) === given) {
      return { dataset, start }
    }
  }
  throw new Refusal(400, `${field} is not a cursor that this endpoint gave out.`, { field })
}

/** Repeated or empty pages make the list longer than its dataset, but less than twice as long. */
function longest({ hooks }: Question, size: number): number {
  return hooks.layout === undefined ? size : 2 * size
}

function contentOf(given: string): unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(given, 'base64url').toString())
    return Array.isArray(content) ? content : []
  } catch {
    return []
  }
}
