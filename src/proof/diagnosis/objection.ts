/** The pages that a changed manifest reads → why the change must not be made, although it brings records. */
import { followPath } from '../../std/values/get-at.ts'
import { namedClaims } from './named-claims.ts'
import type { Case } from './case.ts'
import { listsInEnvelope } from './envelope-record.ts'
import { repeatsIn } from './repeats.ts'
import type { Walk } from './walk.ts'
import type { WalkedPage } from './walked-page.ts'

/** `isPartial`: records are found elsewhere now, so they may be others than before. */
export function objectionTo(subject: Case, after: Walk, { isPartial }: { readonly isPartial: boolean }): string | null {
  if (after.error !== null && !isPartial) return after.error.message
  const { repeated, distinct } = repeatsIn(after.pages)
  if (repeated > 0 && !isPartial) return 'records come twice'
  if (distinct < repeatsIn(subject.pages).distinct && !after.isCut && !isPartial)
    return 'fewer records come than before'
  if (after.isCut && endlessTail(after.pages)) return 'its pages become empty and do not end'
  const counted = totalOf(subject, after)
  if (counted !== null && receivedIn(after.pages) > counted) return `the API counts ${counted} records`
  const before = isPartial ? [] : subject.pages
  const odd = oddShape(before, after)
  return odd === null ? null : `page ${odd.number} has records of another kind`
}

/** Empty pages in a row that show that a read has passed its end. */
const mostEmpty = 10

export function endlessTail(pages: readonly WalkedPage[]): boolean {
  return pages.length > mostEmpty && pages.slice(-mostEmpty).every(({ received }) => received === 0)
}

function receivedIn(pages: readonly WalkedPage[]): number {
  return pages.reduce((sum, { received }) => sum + received, 0)
}

/** Null where the API counts nothing, or counts otherwise: more slices, or fewer than came before. */
function totalOf({ pages, walk, receipt }: Case, after: Walk): number | null {
  if (walk.rules.isSliced) return null
  const claimed = after.receipts[0]?.claimed.total ?? receipt?.claimed.total ?? null
  const named = () =>
    pages[0] &&
    namedClaims(pages[0], after.rules.recordPath).numbers.find((one) => one.counts === 'records' && one.isNamed)
  const total = claimed?.value ?? named()?.value ?? null
  return total === null || receivedIn(pages) > total ? null : total
}

/** Of its names a record of the same kind has at least so many that are known. */
const leastShared = 1 / 3

/** The first page with a record that is an envelope, or that has hardly a name in common with the others. */
function oddShape(before: readonly WalkedPage[], after: Walk): WalkedPage | null {
  const [first] = after.pages.filter(({ received }) => received > 0)
  const filled = before.filter(({ received }) => received > 0)
  const known = new Set(
    (filled.length > 0 ? filled : first === undefined ? [] : [first]).flatMap(({ shapes }) => shapes.flat()),
  )
  const isOdd = ({ shapes }: WalkedPage) =>
    shapes.some(
      (names) => names.length > 0 && names.filter((name) => known.has(name)).length < names.length * leastShared,
    )
  return after.pages.find((page) => isOdd(page) || isEnvelope(page, after)) ?? null
}

function isEnvelope({ received, answer }: WalkedPage, { rules }: Walk): boolean {
  if (received !== 1 || answer === null || rules.recordPath === null) return false
  return listsInEnvelope(followPath(answer.body, rules.recordPath)).length > 0
}
