/** The second request is refused: the page token is of the wrong kind, or in the wrong place. */
import { count } from '../../../std/text/format-count.ts'
import type { Case, Hypothesis } from '../case.ts'
import { type Cause, seen } from '../cause.ts'
import type { ManifestPlace } from '../manifest-place.ts'
import { tryInOrder } from '../trial.ts'
import type { PageSummary } from '../page-summary.ts'
import { countingPages } from './counted-end.ts'
import { refusals } from './first-request.ts'
import { tokenExplanations } from './token-explanations.ts'

export const secondRequest: Cause = async (subject, tools) => {
  const { read, pages, place, pagination } = subject
  const [first] = pages
  const status = read.refused?.status ?? 0
  const isSecond = read.pages.length === 1 && refusals.includes(status)
  if (first === undefined || place === null || !isSecond || pagination.kind === 'none') return null
  return tryInOrder(subject, explanations(subject, place, first, status), tools)
}

function explanations(subject: Case, place: ManifestPlace, first: PageSummary, status: number): Hypothesis[] {
  const { read, pagination } = subject
  const says = `The API refuses what asks for the second page, with ${status}.`
  const evidence = [
    seen(`Page 1 was read, with ${count(first.received, 'record')}.`, first),
    { says: read.error?.message ?? '', pages: [first.number + 1] },
  ]
  const pagesCounted = pagination.kind === 'offset' ? countingPages(place, evidence) : []
  return [...pagesCounted, ...tokenExplanations(subject, place, first, first.next, { says, evidence })]
}
