/** The cursor is not the next link of the response, but that of the last page, the previous page or the page itself. */
import { isUrl } from '../../../std/text/is-url.ts'
import { otherLinkOf } from '../../claims/declared/declared-places.ts'
import { placeName } from '../../claims/response-place.ts'
import type { Case } from '../case.ts'
import { type CursorPlace, cursorPlacesIn } from '../cursor-places.ts'
import { type Cause, seen } from '../cause.ts'
import { tryInOrder } from '../trial.ts'
import type { PageSummary } from '../page-summary.ts'
import { readingAt } from './wrong-cursor.ts'

export const otherLink: Cause = async (subject, tools) => {
  const { pages, pagination, place, read } = subject
  const [first] = pages
  if (pagination.kind !== 'cursor' || place === null || first === undefined) return null
  const nexts = cursorPlacesIn(first, read.rules.recordPath).filter(({ field }) => /next/i.test(field))
  const [best] = nexts
  const at = best === undefined ? null : followedInstead(subject, first, best)
  if (best === undefined || at === null) return null
  const says = `The cursor is ${at}, which is not the next page; ${best.at} is.`
  const evidence = [seen(`After page 1 the read follows ${at}.`, ...pages.slice(0, 2))]
  const code = read.error === null ? 'missing/wrong-cursor' : 'never-stops/cursor-not-found'
  return tryInOrder(
    subject,
    nexts.flatMap((one) => readingAt(subject, place, one, says, evidence)).map((one) => ({ ...one, code })),
    tools,
  )
}

/** What is followed in the place of the next link, by its name or by where it leads; null where the next link is followed. */
function followedInstead({ pagination, receipt }: Case, first: PageSummary, best: CursorPlace): string | null {
  const named = otherLinkOf(pagination)
  if (named !== null) return placeName(named)
  const isProven = receipt?.verdict === 'complete'
  if (pagination.kind !== 'cursor' || pagination.token?.into !== 'path' || !best.isLink || isProven) return null
  const followed = first.next?.url
  if (followed === undefined || !isUrl(String(best.value), first.request.url)) return null
  const isSame = new URL(String(best.value), first.request.url).href === new URL(followed, first.request.url).href
  return isSame ? null : `\`${pagination.value.source.trim()}\``
}
