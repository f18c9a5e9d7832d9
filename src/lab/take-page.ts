/** A question and the place it asks for → the page of records, with whatever goes wrong on the way. */
import { pageOf, type PageRequest } from './faults/fault.ts'
import { type ServedPage, servePage } from './faults/serve-page.ts'
import type { Question } from './exchange.ts'
import { type Dress, type JsonText, takeRecords } from './records.ts'

export type ListPage = ServedPage & {
  records: JsonText
  /** The requested page, from 0. */
  page: number
}

export function takePage(question: Question, wanted: PageRequest, dress?: Dress): ListPage {
  const { dataset, hooks, asked } = question
  hooks.refuse?.(wanted, asked)
  const turned = servePage(wanted, dataset.size, hooks)
  return { ...turned, records: takeRecords(dataset, turned.rows, dress), page: pageOf(wanted) }
}

/** The same path and query with some parameters changed, from the root on: `/link?page=2&per_page=100`. */
export function pathTo(question: Question, changes: Record<string, string | number>): string {
  const query = new URLSearchParams(question.query)
  // A link travels further than the request it answers; it carries no credential.
  query.delete('api_key')
  for (const [name, value] of Object.entries(changes)) query.set(name, String(value))
  return `${question.path}?${query.toString()}`
}

/** The same as a whole URL. */
export function urlTo(question: Question, changes: Record<string, string | number>): string {
  return question.origin + pathTo(question, changes)
}
