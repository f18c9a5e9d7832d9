/** What the first page claims about further pages: more, or an end; in words for people. */
import { isUrl } from '../../std/text/is-url.ts'
import { linksOf } from '../../engine/pagination/link-header.ts'
import { count as counted, number } from '../../std/text/format-count.ts'
import { type Found, type FoundNext, type FoundNumber } from '../claims/envelope-claims.ts'
import { wholeNumber, type ResponsePlace } from '../claims/response-place.ts'
import { followPath } from '../../std/values/get-at.ts'
import { pageClaims } from '../claims/page-claims.ts'
import type { DetectionSession } from './detection-session.ts'
import { digitsIn } from '../claims/link-query.ts'
import { wordsOf } from '../names/name-style.ts'
import { isNameOf } from '../names/paging-names.ts'
import type { ProbeResponse } from './probe-sender.ts'
import { leavesOutsideList } from './leaves.ts'
import type { RecordLayout, ProbedPage } from './probed-pages.ts'
import { addressesIn, pointersIn, tokenObjectsIn } from './pointers.ts'

/** Null when nothing claims more than the page has. */
export function moreClaimed(page: ProbedPage, layout: RecordLayout): string | null {
  const { response, keys } = page
  const { numbers, nexts } = claimsOf(page, layout)
  const count = numbers.find((one) => isAbove(one, keys.length))
  if (count !== undefined) return sayNumber(count)
  const next = nexts.find(({ says }) => says === 'more')
  if (next !== undefined) return sayNext(next)
  const [pointer] = pointersIn(response.body, response.headers, layout.path, response.url).filter(
    (one) => one.value !== null,
  )
  if (pointer !== undefined) return `${nameOf([pointer.from, ...pointer.path])} seems to name a next page`
  const [object] = tokenObjectsIn(response.body, layout.path)
  if (object !== undefined) return `${object.path.join('.')} seems to name a next page`
  return (
    lastLinkIn(response, layout, keys.length) ?? sentenceIn(page, layout) ?? sumIn(page, layout) ?? partIn(response)
  )
}

/** Null when nothing claims that the page is all there is. */
export function endClaimed(page: ProbedPage, layout: RecordLayout): string | null {
  const { numbers, nexts }: Found = claimsOf(page, layout)
  const whole = numbers.find((one) => one.isNamed && one.value + one.plus === (isOfPages(one) ? 1 : page.keys.length))
  if (whole !== undefined) return sayNumber(whole)
  const end = nexts.find(({ says }) => says === 'end')
  return end === undefined ? null : `${nameOf(end.place)} says that nothing follows`
}

function isOfPages({ counts }: FoundNumber): boolean {
  return counts === 'pages'
}

function isAbove(one: FoundNumber, received: number): boolean {
  return one.value + one.plus > (isOfPages(one) ? 1 : received)
}

function sayNumber({ counts, place, value, plus }: FoundNumber): string {
  return `${nameOf(place)} says ${counted(value + plus, counts.slice(0, -1))}`
}

function sayNext({ kind, place }: FoundNext): string {
  return `${nameOf(place)} ${kind === 'flag' ? 'says that more follows' : 'names a next page'}`
}

function nameOf([from, ...names]: ResponsePlace): string {
  return from === 'header' ? `the header ${names.join('.')}` : names.join('.')
}

/** A link to a last page that is not this one, whatever its parameter is called. */
function lastLinkIn({ body, headers, url }: ProbeResponse, { path }: RecordLayout, received: number): string | null {
  const inHeader = { path: ['link', 'last'], address: linksOf(headers.link).last?.url ?? '' }
  for (const { path: at, address } of [inHeader, ...addressesIn(body, path, url)]) {
    if (!at.flatMap(wordsOf).includes('last') || !isUrl(address, url)) continue
    const isFar = [...new URL(address, url).searchParams].some(([name, value]) => {
      const place = digitsIn(value) ?? 0
      return place > 1 && place !== received && !isNameOf('size', name)
    })
    if (isFar) return `${at.join('.')} links to a last page that is not the first`
  }
  return null
}

const ofPages = /\bpage\s+\d+\s+(?:of|out of|\/)\s+(\d+)/i
const ofRecords = /\b\d+\s*(?:-|–|to)\s*(\d+)\s+(?:of|out of)\s+(\d[\d,]*)/i

/** `Page 1 of 7`, `Showing 1–20 of 319`. */
function sentenceIn({ response: { body, headers }, keys }: ProbedPage, { path }: RecordLayout): string | null {
  const strings = [...Object.values(headers), ...valuesIn(body, path).filter((value) => typeof value === 'string')]
  for (const text of strings) {
    const [pages, last] = ofPages.exec(text) ?? []
    if (pages !== undefined && Number(last) > 1) return `it says "${pages}"`
    const [records, to, total = ''] = ofRecords.exec(text) ?? []
    const whole = Number(total.replaceAll(',', ''))
    if (records !== undefined && whole > Number(to) && whole > keys.length) return `it says "${records}"`
  }
  return null
}

/** Names may be of any language: two numbers that are a count of records and its pages of this size need none. */
function sumIn({ response: { body }, keys }: ProbedPage, { path }: RecordLayout): string | null {
  const numbers = new Set(valuesIn(body, path).flatMap((value) => wholeNumber(value) ?? []))
  const isTotal = (total: number) => total > keys.length && numbers.has(Math.ceil(total / keys.length))
  const total = keys.length < 2 ? undefined : [...numbers].find(isTotal)
  if (total === undefined) return null
  const pages = Math.ceil(total / keys.length)
  return `${number(total)} and ${pages} next to the records are a total and its pages of ${keys.length}`
}

function partIn({ status }: ProbeResponse): string | null {
  return status === 206 ? 'it answers 206, part of the whole' : null
}

function valuesIn(body: unknown, listPath: readonly string[]): unknown[] {
  return leavesOutsideList(body, listPath).map(({ value }) => value)
}

/** What a page says about the whole: totals, flags, next links. */
export function claimsOf({ response, keys }: ProbedPage, { path }: RecordLayout): Found {
  const facts = {
    body: response.body,
    headers: response.headers,
    receivedCount: keys.length,
    part: 0,
    isLast: false,
    isError: false,
  }
  return pageClaims(facts, {
    recordPath: path.includes('*') ? path.slice(0, path.indexOf('*')) : path,
    countsRecords: true,
    declared: [],
  })
}

/** Totals that their names leave no doubt about; none where two contradict each other. */
export function namedTotals(page: ProbedPage, layout: RecordLayout): number[] {
  const counts = claimsOf(page, layout).numbers.filter(({ counts: what, isNamed }) => what === 'records' && isNamed)
  const values = new Set(counts.map(({ value }) => value))
  return values.size === 1 ? [...values] : []
}

/** Whether a page says itself that others follow. */
export function saysMore(page: ProbedPage, layout: RecordLayout): boolean {
  const [total] = namedTotals(page, layout)
  if (total !== undefined) return total > page.keys.length
  return claimsOf(page, layout).nexts.some(({ says }) => says === 'more')
}

/** Names outside of the records that suggest a position in a longer list: `last_month`, `next_batch`, `page`. */
export function hintsAtMore({ response }: ProbedPage, { path }: RecordLayout): string | null {
  if (path.length === 0) return null
  const hint = leavesOutsideList(response.body, path).find(
    ({ path: at, value }) => isAnyValue(value) && isPlaceWord(wordsOf(at.at(-1) ?? '')),
  )
  return hint?.path.join('.') ?? null
}

function isAnyValue(value: unknown): boolean {
  return typeof value === 'string' ? value !== '' : typeof value === 'number' && value > 1
}

function isPlaceWord(words: readonly string[]): boolean {
  const has = (some: RegExp) => words.some((word) => some.test(word))
  if (has(/^(date|time|at|reset|sync|synced|modified|updated|login|seen|changed|run|payment|refresh)$/)) return false
  return has(/^(last|next|until|cursor|continuation|offset|page|pages)$/)
}

/** A flag that says whether more follows; true means more, or the end. */
export type MoreFlag = { readonly path: readonly string[]; readonly meansMore: boolean }

export function moreFlagOf({ first, layout }: Pick<DetectionSession, 'first' | 'layout'>): MoreFlag | null {
  const flag = claimsOf(first, layout).nexts.find(
    ({ kind, place, says }) => kind === 'flag' && place[0] === 'body' && says === 'more',
  )
  if (flag === undefined) return null
  const [, ...path] = flag.place
  const value = followPath(first.response.body, path)
  return { path, meansMore: value === true || value === 'true' }
}
