/** The cursor is another link of the answer than the next one: the last page, the one before, the page itself. */
import { isUrl } from '../../../is-url.ts'
import { otherLinkOf } from '../../own/places.ts'
import { placeName } from '../../place.ts'
import type { Case } from '../case.ts'
import { type CursorPlace, cursorPlacesIn } from '../cursor-places.ts'
import { type Examine, seen } from '../examine.ts'
import { tryInOrder } from '../trial.ts'
import type { WalkedPage } from '../walked-page.ts'
import { readingAt } from './wrong-cursor.ts'

export const otherLink: Examine = async (subject, tools) => {
  const { pages, pagination, place, walk } = subject
  const [first] = pages
  if (pagination.kind !== 'cursor' || place === null || first === undefined) return null
  const nexts = cursorPlacesIn(first, walk.rules.recordPath).filter(({ field }) => /next/i.test(field))
  const [best] = nexts
  const at = best === undefined ? null : followedInstead(subject, first, best)
  if (best === undefined || at === null) return null
  const says = `The cursor is ${at}, which is not the next page; ${best.at} is.`
  const evidence = [seen(`After page 1 the read follows ${at}.`, ...pages.slice(0, 2))]
  const code = walk.error === null ? 'missing/wrong-cursor' : 'never-stops/cursor-not-found'
  return tryInOrder(
    subject,
    nexts.flatMap((one) => readingAt(subject, place, one, says, evidence)).map((one) => ({ ...one, code })),
    tools,
  )
}

/** What is followed in the place of the next link, by its name or by where it leads; null where the next link is followed. */
function followedInstead({ pagination, receipt }: Case, first: WalkedPage, best: CursorPlace): string | null {
  const named = otherLinkOf(pagination)
  if (named !== null) return placeName(named)
  const isProven = receipt?.verdict === 'complete'
  if (pagination.kind !== 'cursor' || pagination.token?.into !== 'path' || !best.isLink || isProven) return null
  const followed = first.next?.url
  if (followed === undefined || !isUrl(String(best.value), first.request.url)) return null
  const isSame = new URL(String(best.value), first.request.url).href === new URL(followed, first.request.url).href
  return isSame ? null : `\`${pagination.value.source.trim()}\``
}
