/** What the first page says about pages beyond it, by any sign: more, or an end; and how that is told to people. */
import { isUrl } from '../../is-url.ts'
import { linksOf } from '../../engine/pagination/headers.ts'
import { count as counted, number } from '../../words.ts'
import { type Found, type FoundNext, type FoundNumber, wholeNumber } from '../find-claims.ts'
import { digitsIn } from '../link-query.ts'
import { wordsOf } from '../name-words.ts'
import { isNameOf } from '../paging-names.ts'
import type { Place } from '../place.ts'
import type { Answer } from './asking.ts'
import { leavesBeside } from './leaves.ts'
import type { Reading, Shown } from './pages.ts'
import { addressesIn, pointersIn } from './pointers.ts'
import { tokenObjectsIn } from './token-objects.ts'
import { claimsOf } from './walk.ts'

/** Null when nothing on it speaks of more than it holds. */
export function moreClaimed(page: Shown, reading: Reading): string | null {
  const { answer, keys } = page
  const { numbers, nexts } = claimsOf(page, reading)
  const count = numbers.find((one) => isAbove(one, keys.length))
  if (count !== undefined) return sayNumber(count)
  const next = nexts.find(({ says }) => says === 'more')
  if (next !== undefined) return sayNext(next)
  const [pointer] = pointersIn(answer.body, answer.headers, reading.path, answer.url).filter(
    (one) => one.value !== null,
  )
  if (pointer !== undefined) return `${nameOf([pointer.from, ...pointer.path])} seems to name a next page`
  const [object] = tokenObjectsIn(answer.body, reading.path)
  if (object !== undefined) return `${object.path.join('.')} seems to name a next page`
  return lastLinkIn(answer, reading, keys.length) ?? sentenceIn(page, reading) ?? sumIn(page, reading) ?? partIn(answer)
}

/** Null when nothing on it says that it is all there is. */
export function endClaimed(page: Shown, reading: Reading): string | null {
  const { numbers, nexts }: Found = claimsOf(page, reading)
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

function nameOf([from, ...names]: Place): string {
  return from === 'header' ? `the header ${names.join('.')}` : names.join('.')
}

/** A link to a last page that is not this one, whatever its parameter is called. */
function lastLinkIn({ body, headers, url }: Answer, { path }: Reading, received: number): string | null {
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
function sentenceIn({ answer: { body, headers }, keys }: Shown, { path }: Reading): string | null {
  const texts = [...Object.values(headers), ...valuesIn(body, path).filter((value) => typeof value === 'string')]
  for (const text of texts) {
    const [pages, last] = ofPages.exec(text) ?? []
    if (pages !== undefined && Number(last) > 1) return `it says "${pages}"`
    const [records, to, total = ''] = ofRecords.exec(text) ?? []
    const whole = Number(total.replaceAll(',', ''))
    if (records !== undefined && whole > Number(to) && whole > keys.length) return `it says "${records}"`
  }
  return null
}

/** Names may be of any language: two numbers that are a count of records and its pages of this size need none. */
function sumIn({ answer: { body }, keys }: Shown, { path }: Reading): string | null {
  const numbers = new Set(valuesIn(body, path).flatMap((value) => wholeNumber(value) ?? []))
  const isTotal = (total: number) => total > keys.length && numbers.has(Math.ceil(total / keys.length))
  const total = keys.length < 2 ? undefined : [...numbers].find(isTotal)
  if (total === undefined) return null
  const pages = Math.ceil(total / keys.length)
  return `${number(total)} and ${pages} beside the records are a total and its pages of ${keys.length}`
}

function partIn({ status }: Answer): string | null {
  return status === 206 ? 'it answers 206, part of the whole' : null
}

function valuesIn(body: unknown, listPath: readonly string[]): unknown[] {
  return leavesBeside(body, listPath).map(({ value }) => value)
}
