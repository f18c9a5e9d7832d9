/** The cursor is another link of the answer than the next one: the last page, the one before, the page itself. */
import { otherLinkOf } from '../../own/places.ts'
import { placeName } from '../../place.ts'
import { cursorPlacesIn } from '../cursor-places.ts'
import { type Examine, seen } from '../examine.ts'
import { tryInOrder } from '../trial.ts'
import { readingAt } from './wrong-cursor.ts'

export const otherLink: Examine = async (subject, tools) => {
  const { pages, pagination, place, walk } = subject
  const [first] = pages
  const followed = otherLinkOf(pagination)
  if (pagination.kind !== 'cursor' || place === null || first === undefined || followed === null) return null
  const nexts = cursorPlacesIn(first, walk.rules.recordPath).filter(({ field }) => /next/i.test(field))
  const [best] = nexts
  if (best === undefined) return null
  const at = placeName(followed)
  const says = `The cursor is ${at}, which is not the next page; ${best.at} is.`
  const evidence = [seen(`After page 1 the read follows ${at}.`, ...pages.slice(0, 2))]
  const code = walk.error === null ? 'missing/wrong-cursor' : 'never-stops/cursor-not-found'
  return tryInOrder(
    subject,
    nexts.flatMap((one) => readingAt(subject, place, one, says, evidence)).map((one) => ({ ...one, code })),
    tools,
  )
}
