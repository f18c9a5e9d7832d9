/** Pages are counted from another number: the first one comes twice, or is never asked for. */
import type { Hypothesis } from '../case.ts'
import type { Evidence } from '../diagnosis.ts'
import { type Examine, seen } from '../examine.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'
import { tryInOrder } from '../trial.ts'

export const startPage: Examine = async (subject, tools) => {
  const { repeats, pages, pagination, place, receipt } = subject
  const [first, second, third] = repeats.pages
  if (pagination.kind !== 'page' || place === null || first === undefined) return null
  const { firstPage, injectOnFirst } = pagination
  const isTwice =
    second?.sameAs === first.page &&
    second.isUnchanged &&
    (third === undefined || third.again === 0) &&
    first.page.received > 1
  if (isTwice && third !== undefined) {
    const evidence = [seen(`Pages 1 and 2 bring the same records, page 3 brings others.`, first.page, second.page)]
    const says = `The first page comes twice: the API counts pages from ${firstPage + 1}, the manifest from ${firstPage}.`
    return tryInOrder(subject, [startingFrom(firstPage + 1, place, says, evidence)], tools)
  }
  const isMissing = receipt?.verdict === 'incomplete' && ['short-page', 'empty-page'].includes(receipt.stop)
  if (!isMissing || firstPage < 1 || repeats.repeated > 0) return null
  const unasked = injectOnFirst ? firstPage - 1 : firstPage
  const says = `A page is never asked for: the API counts pages from ${firstPage - 1}, the manifest from ${firstPage}.`
  const evidence = [seen(`The walk asked for pages ${asked(pages)}; ${receipt.reason}.`, ...pages)]
  return tryInOrder(
    subject,
    [{ ...startingFrom(firstPage - 1, place, says, evidence), firstTry: { value: unasked } }],
    tools,
  )
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

function asked(pages: readonly { readonly token: { readonly value: unknown } | null }[]): string {
  return pages.map(({ token }) => (token === null ? '(no number)' : String(token.value))).join(', ')
}
