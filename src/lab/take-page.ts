/** A question and the place it asks for → the page of records, with whatever goes wrong on the way. */
import type { Question } from './exchange.ts'
import { pageOf, type Wanted } from './faults/fault.ts'
import { turnPage, type TurnedPage } from './faults/turn-page.ts'
import type { JsonText } from './json-text.ts'
import { type Dress, takeRecords } from './records.ts'

export type ListPage = TurnedPage & {
  records: JsonText
  /** The page that was asked for, from 0. */
  page: number
}

export function takePage(question: Question, wanted: Wanted, dress?: Dress): ListPage {
  const { dataset, hooks, asked } = question
  hooks.refuse?.(wanted, asked)
  const turned = turnPage(wanted, dataset.size, hooks)
  return { ...turned, records: takeRecords(dataset, turned.rows, dress), page: pageOf(wanted) }
}
