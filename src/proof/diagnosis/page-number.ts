/** A first page → where it states its page number and the number of pages, as templates. */
import { meaningsOf, pageNumberIn } from '../names/claim-names.ts'
import { envelopesIn } from '../claims/envelopes.ts'
import { expressionAt } from './cursor-places.ts'
import type { PageSummary } from './page-summary.ts'

type PageNumbering = {
  /** `meta.page` */
  readonly at: string
  /** The number of the page that comes next, as a template. */
  readonly next: string
  /** The condition that is true on the last page, as a template; null where the API does not count its pages. */
  readonly isLast: string | null
}

/** Null where the first page has no number of its own, which is 0 or 1. */
export function pageNumberingIn(
  { response: answer }: Pick<PageSummary, 'response'>,
  recordPath: readonly string[] | null,
): PageNumbering | null {
  const envelopes = answer === null ? [] : envelopesIn(answer.body, recordPath)
  for (const { place, members } of envelopes) {
    const number = pageNumberIn(members)
    const names = Object.keys(members)
    const page = names.find((name) => members[name] === number && pageNumberIn({ [name]: number }) !== undefined)
    if (page === undefined || (number !== 0 && number !== 1)) continue
    const above = place.slice(1)
    const read = (name: string) => `(${expressionAt([...above, name])} or 0)`
    const count = names.find((name) => typeof members[name] === 'number' && isPageCount(name))
    const last = count === undefined ? null : `{{ ${read(page)}${number === 0 ? ' + 1' : ''} >= ${read(count)} }}`
    return { at: [...above, page].join('.'), next: `{{ ${read(page)} + 1 }}`, isLast: last }
  }
  return null
}

function isPageCount(name: string): boolean {
  return meaningsOf(name).some(({ kind }) => kind === 'pages' || kind === 'last-page')
}
