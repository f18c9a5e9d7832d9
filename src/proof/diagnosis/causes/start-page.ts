/** Wrong start page: the first page is read twice, is empty, or is never requested. */
import type { Receipt } from '../../receipts/receipt.ts'
import type { Case, Hypothesis } from '../case.ts'
import type { Evidence } from '../diagnosis.ts'
import { type Cause, seen } from '../cause.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'
import { tryInOrder } from '../trial.ts'

export const startPage: Cause = async (subject, tools) => {
  const { repeats, pagination, place, read } = subject
  const [first, second, third] = repeats.pages
  if (pagination.kind !== 'page' || place === null || first === undefined) return null
  const { firstPage } = pagination
  const isTwice =
    second?.sameAs === first.page &&
    second.isUnchanged &&
    (third === undefined || third.again === 0) &&
    first.page.received > 1
  if (isTwice && third !== undefined) {
    const evidence = [seen(`Pages 1 and 2 have the same records, page 3 has others.`, first.page, second.page)]
    const says = `The first page comes twice: the API counts pages from ${firstPage + 1}, the manifest from ${firstPage}.`
    return tryInOrder(subject, [startingFrom(firstPage + 1, place, says, evidence)], tools)
  }
  if (read.error !== null || repeats.repeated > 0 || !repeats.areDistinguishable) return null
  return tryInOrder(subject, [...emptyFirst(subject, place), ...neverRequested(subject, place)], tools)
}

/** The first page is empty, and it is the only one: the records may begin one page later, or earlier. */
function emptyFirst({ pages, pagination }: Case, place: ManifestPlace): Hypothesis[] {
  const [first, ...others] = pages
  if (pagination.kind !== 'page' || !pagination.injectOnFirst || first?.received !== 0 || others.length > 0) return []
  const { firstPage } = pagination
  const other = firstPage === 0 ? 1 : firstPage - 1
  const says = `Page ${firstPage} is empty, and page ${other} is not: the API counts pages from ${other}.`
  const evidence = [seen(`The read requested page ${firstPage}, which is empty, and ended.`, first)]
  return [{ ...startingFrom(other, place, says, evidence), firstTry: { value: other } }]
}

/** Where nothing shows that all records were received, the page before the first is requested once. */
function neverRequested(subject: Case, place: ManifestPlace): Hypothesis[] {
  const { pages, pagination, receipt } = subject
  const [first] = pages
  if (pagination.kind !== 'page' || pagination.firstPage < 1 || first === undefined || first.received === 0) return []
  // Records without a name may come again in other words.
  if (first.first === null || isAllThere(receipt)) return []
  const { firstPage, injectOnFirst } = pagination
  const unasked = injectOnFirst ? firstPage - 1 : firstPage
  const says = `A page is never requested: the API counts pages from ${firstPage - 1}, the manifest from ${firstPage}.`
  const reason = receipt === null ? '' : `; ${receipt.reason}`
  const evidence = [seen(`The read requested pages ${requested(pages)}${reason}.`, ...pages)]
  return [{ ...startingFrom(firstPage - 1, place, says, evidence), firstTry: { value: unasked } }]
}

/** By a total or a count of pages: what ends a read says nothing about where it should begin. */
export function isAllThere(receipt: Receipt | null): boolean {
  if (receipt === null) return false
  const { total, pages } = receipt.claimed
  return total === null ? pages !== null && receipt.pages >= pages.value : receipt.received >= total.value
}

function startingFrom(
  page: number,
  { strategy }: ManifestPlace,
  says: string,
  evidence: readonly Evidence[],
): Hypothesis {
  return {
    code: 'first-request/start-page',
    why: `whether pages are counted from ${page}`,
    says,
    evidence,
    fix: { says: `Start from page ${page}.`, edits: set(strategy, { start_from_page: page }) },
  }
}

const mostShown = 5

function requested(pages: readonly { readonly token: { readonly value: unknown } | null }[]): string {
  const numbers = pages.map(({ token }) => (token === null ? '(no number)' : String(token.value)))
  return numbers.length <= mostShown ? numbers.join(', ') : `${numbers.slice(0, 3).join(', ')}, … ${numbers.at(-1)}`
}
