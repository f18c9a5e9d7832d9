/** Two tests of a stream → what differs in their requests, and their figures side by side. */
import { number } from '../../../std/text/format-count.ts'
import { duration } from '../../durations.ts'
import { compareRequests, type ComparedValue } from '../exchange/request-changes.ts'
import type { ComparedPage, ComparedTest } from './earlier-tests.ts'

export type TestDifference = {
  readonly slice: number
  readonly page: number
  /** Where only one of the tests requested the page. */
  readonly only: 'before' | 'now' | null
  readonly changes: readonly ValueChange[]
}

/** `was` and `is`: null where the request has no such value. */
export type ValueChange = { readonly name: string; readonly was: string | null; readonly is: string | null }

export function testDifferences(before: ComparedTest, now: ComparedTest): TestDifference[] {
  const past = new Map(before.pages.map((page) => [placeOf(page), page]))
  const present = new Set(now.pages.map(placeOf))
  const differences = now.pages.flatMap((page): TestDifference[] => {
    const was = past.get(placeOf(page))
    if (was === undefined) return [onlyIn('now', page)]
    const changes = changesBetween(was, page)
    return changes.length === 0 ? [] : [{ slice: page.slice, page: page.page, only: null, changes }]
  })
  const gone = before.pages.filter((page) => !present.has(placeOf(page)))
  return [...differences, ...gone.map((page) => onlyIn('before', page))]
}

function placeOf({ slice, page }: ComparedPage): string {
  return `${slice}/${page}`
}

function onlyIn(only: 'before' | 'now', { slice, page, request }: ComparedPage): TestDifference {
  const address = `${request.method} ${request.url}`
  const change =
    only === 'now' ? { name: 'request', was: null, is: address } : { name: 'request', was: address, is: null }
  return { slice, page, only, changes: [change] }
}

function changesBetween({ request: before }: ComparedPage, { request: now }: ComparedPage): ValueChange[] {
  const { address, query, headers, bodyValues, body } = compareRequests(before, now)
  const method = before.method === now.method ? [] : [{ name: 'method', was: before.method, is: now.method }]
  const isPlainBody = bodyValues.length === 0 && before.body !== body
  return [
    ...method,
    ...[{ ...address, name: 'address' }, ...query, ...headers, ...bodyValues].flatMap(changeOf),
    ...(isPlainBody ? [{ name: 'body', was: before.body, is: body }] : []),
  ]
}

function changeOf({ name, value, change }: ComparedValue): ValueChange[] {
  switch (change.kind) {
    case 'same':
      return []
    case 'new':
      return [{ name, was: null, is: value }]
    case 'gone':
      return [{ name, was: value, is: null }]
    case 'changed':
      return [{ name, was: change.was, is: value }]
  }
}

export type FigureRow = { readonly name: string; readonly before: string; readonly now: string }

/** Counts and times, before and now. */
export function figureRows(before: ComparedTest, now: ComparedTest): FigureRow[] {
  const row = (name: string, of: (test: ComparedTest) => string): FigureRow => ({
    name,
    before: of(before),
    now: of(now),
  })
  return [
    row('Requests', ({ pages }) => number(pages.length)),
    row('Records received', ({ pages }) => number(sumOf(pages, 'received'))),
    row('Records kept', ({ pages }) => number(sumOf(pages, 'emitted'))),
    row('Took', ({ tookMs }) => duration(tookMs)),
    row('Median page', ({ pages }) => duration(median(pages.map(({ tookMs }) => tookMs)))),
    row('Slowest page', ({ pages }) => duration(Math.max(0, ...pages.map(({ tookMs }) => tookMs)))),
    row('Stopped', ({ stopWords, ending }) => stopWords ?? ending ?? 'still reading'),
  ]
}

function sumOf(pages: readonly ComparedPage[], field: 'received' | 'emitted'): number {
  return pages.reduce((sum, page) => sum + page[field], 0)
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
