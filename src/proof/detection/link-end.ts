/** A link to the next page that counts → the last page, requested at once, and whether it names no next one. */
import { sameOrigin } from '../../engine/request/url.ts'
import { digitsIn } from '../claims/link-query.ts'
import { isNameOf } from '../names/paging-names.ts'
import type { Asking } from './asking.ts'
import type { Candidate } from './detection.ts'
import { requestTo } from './follow-url.ts'
import { shownIn } from './pages.ts'
import { isSamePointer, type Pointer, pointerName, pointersIn } from './pointers.ts'
import type { Question } from './question.ts'
import type { Expected } from './reread.ts'
import { claimsOf, sayAnswer, totalsOf } from './walk.ts'

export type LinkEnd = 'ends' | 'names-another' | 'unknown'

/** More than small APIs hold, and within what most let one skip. */
const far = 9_000

export async function findLinkEnd(
  question: Question,
  { facts }: Candidate,
  { first, reading, needed }: Expected,
  asking: Asking,
): Promise<LinkEnd> {
  const { answer, keys } = first
  const linksIn = (one: typeof answer) => pointersIn(one.body, one.headers, reading.path, one.url)
  const pointer = linksIn(answer).find((one) => one.value !== null && pointerName(one) === facts.cursorAt)
  // Where its name leaves a doubt about a total, the page it leads to shows whether it is one.
  const [
    total = claimsOf(first, reading).numbers.find((one) => one.counts === 'records' && one.value > keys.length)?.value,
  ] = totalsOf(first, reading)
  const url = pointer === undefined ? null : lastUrl(pointer, keys.length, total ?? null)
  if (pointer === undefined || url === null || asking.left() < keptForReread || !sameOrigin(question.address, url))
    return 'unknown'
  const last = await asking.ask(
    'Does the last page name no next one?',
    requestTo(url, question, false, needed),
    (one) => sayAnswer(one, reading, first),
  )
  const page = last === null ? null : shownIn(last, reading)
  if (last === null || page === null) return 'unknown'
  const again = linksIn(last).some((one) => one.value !== null && isSamePointer(one, pointer))
  if (!again) return 'ends'
  // Without a total, only a page without records is known to be past the last one.
  return totalsOf(first, reading).length > 0 || page.keys.length === 0 ? 'names-another' : 'unknown'
}

/** Two pages are read with the manifest. */
const keptForReread = 2

/** Null where the link does not count. */
function lastUrl({ value }: Pointer, size: number, total: number | null): string | null {
  const url = new URL(String(value))
  const counting = [...url.searchParams].filter(([name, text]) => isCounting(name, text, size))
  const [only] = counting
  if (counting.length !== 1 || only === undefined || size === 0) return null
  const [name, text] = only
  const pages = Math.ceil((total ?? far) / size)
  const second = Number(text)
  url.searchParams.set(name, String(isNameOf('offset', name) ? (pages - 1) * size : second + pages - 2))
  return url.href
}

/** The number of the second page, or as many records as the first one has. */
function isCounting(name: string, text: string, size: number): boolean {
  const value = digitsIn(text)
  if (isNameOf('offset', name)) return value === size
  return isNameOf('page', name) && (value === 1 || value === 2)
}
