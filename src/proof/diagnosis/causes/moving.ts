/** Faults of the API itself: a page sent twice, records that move between pages, a wrong total. */
import { count, number } from '../../../std/text/format-count.ts'
import { isCountedToken } from '../../claims/is-counted-token.ts'
import { placeName } from '../../claims/response-place.ts'
import type { Receipt } from '../../receipts/receipt.ts'
import { requestOnce, type TrialTools } from '../trial.ts'
import type { Case } from '../case.ts'
import { type Cause, seen, withoutFix } from '../cause.ts'
import { namedClaims } from '../named-claims.ts'
import type { PageSummary } from '../page-summary.ts'
import { overlapOf } from '../repeats.ts'

/** A page in the middle repeats an earlier one, and the next pages are new again. */
export const repeatedPage: Cause = async ({ repeats, pages }) => {
  const again = repeats.pages.find(
    ({ page, sameAs, isUnchanged }) => sameAs !== null && isUnchanged && page.received > 1,
  )
  const after = again && repeats.pages[pages.indexOf(again.page) + 1]
  if (again?.sameAs === undefined || again.sameAs === null || after?.again !== 0 || after.page.received === 0)
    return null
  if (again.page.first === null) return null
  return withoutFix({
    code: 'api/repeated-page',
    fault: 'api',
    says: `Page ${again.page.number} repeats the records of page ${again.sameAs.number}.`,
    evidence: [
      seen(
        `Both begin with ${again.page.first.text} and have ${count(again.page.received, 'record')}.`,
        again.sameAs,
        again.page,
      ),
      seen(`They were requested differently; page ${after.page.number} has others.`, after.page),
    ],
    advice:
      'Sync the stream with a mode that removes duplicates, and ask the API’s owner whether responses are cached.',
  })
}

/** With counted positions, an added or deleted record moves all later ones. */
export const movedRows: Cause = async (subject, tools) => {
  const { repeats, pages } = subject
  const again = repeats.pages.find(({ page }, index) => {
    const before = pages[index - 1]
    const some = before === undefined ? 0 : overlapOf(before, page)
    return some > 0 && some < page.received && page.first !== null
  })
  const counts = isPositional(subject) ? (shrinking(pages) ?? endingEarly(subject)) : null
  if (again === undefined && counts === null) return null
  const changed = await changedSince(subject, tools)
  const evidence = [
    ...(again === undefined
      ? []
      : [
          seen(
            `Page ${again.page.number} begins with ${again.page.first?.text}, which an earlier page had; it repeats ${count(again.again, 'record')}.`,
            again.page,
          ),
        ]),
    ...(counts === null ? [] : [seen(`The API counted ${counts} during the read.`, ...pages)]),
    ...(changed === null
      ? []
      : [seen(`Requested again, page ${changed.number} has other records than before.`, changed)]),
  ]
  return withoutFix({
    code: 'api/rows-moved',
    fault: 'api',
    says: 'Records were added or deleted while the pages were read, and the others moved: some were received twice or not at all.',
    evidence,
    advice: 'Sort by a field that never changes, oldest first, or continue after a key instead of counting positions.',
  })
}

/** Whether pages are requested by position, by the manifest or by the API's links. */
function isPositional({ pagination, pages }: Case): boolean {
  if (pagination.kind === 'offset' || pagination.kind === 'page') return true
  return isCountedToken(pages[0]?.next ?? null)
}

/** `450, then 400`; null where the API counts as many all the time, or more: what is added at the end moves nothing. */
function shrinking(pages: readonly PageSummary[]): string | null {
  for (const counts of ['records', 'pages'] as const) {
    const named = pages.flatMap(({ found, received }) =>
      found.numbers.filter((one) => one.counts === counts && one.isNamed).map((one) => ({ ...one, received })),
    )
    const same = named.filter(({ place }) => place.join() === named[0]?.place.join())
    // The size of each page, under the name of a total.
    if (same.every(({ value, received }) => value === received)) continue
    const first = same[0]?.value ?? 0
    const last = same.at(-1)?.value ?? 0
    if (last < first && same.every(({ value }) => value === first || value === last)) {
      return `${count(first, counts.slice(0, -1))}, then ${number(last)}`
    }
  }
  return null
}

/** `5 pages, then 4`: the first page named a last one that the links no longer lead to. */
function endingEarly({ receipt, read }: Case): string | null {
  const named = receipt?.claimed.pages ?? null
  if (receipt === null || named === null || receipt.verdict !== 'unproven' || read.rules.isSliced) return null
  // A number on every page is the API's current count, right or wrong; a link shows an earlier one.
  if (!/ last$|\.last$/.test(named.at) || receipt.pages >= named.value) return null
  return `${count(named.value, 'page')}, then ${number(receipt.pages)}`
}

/** The first two pages once more: whether one of them is no longer what it was. */
async function changedSince(subject: Case, tools: TrialTools): Promise<PageSummary | null> {
  for (const page of subject.pages.slice(0, 2)) {
    const now = await requestOnce(subject, tools, `whether page ${page.number} is still the same`, page.token)
    if (now === null || now.error !== null) return null
    if (now.pages[0]?.prints.join() !== page.prints.join()) return page
  }
  return null
}

/** Fewer records or pages than the API counts, in a read that the API itself ended. */
export const wrongTotal: Cause = async ({ receipt, repeats, pages, read }) => {
  const total = receipt?.claimed.total ?? receipt?.claimed.pages ?? null
  if (receipt === null || total === null || receipt.verdict !== 'unproven' || read.rules.isSliced) return null
  const [counts, came] = receipt.claimed.total === null ? ['page', receipt.pages] : ['record', receipt.received]
  const isSteady = pages.every(({ found }) =>
    found.numbers.every((one) => placeName(one.place) !== total.at || one.value === total.value),
  )
  // More records than the total is no fault: totals may be outdated, or capped.
  const isLess = isEndOfApi(read, receipt) && came < total.value
  if (!isLess || !isSteady || !repeats.areDistinguishable || repeats.repeated > 0 || read.error !== null) return null
  // After one page, the manifest may read its end or cursor in the wrong place: then a named claim must confirm the end.
  const saysEnd = namedClaims(pages.at(-1) ?? { response: null }, read.rules.recordPath).nexts.some(
    ({ says }) => says === 'end',
  )
  if (pages.length === 1 && !saysEnd) return null
  const brought = `${count(pages.length, 'page')} brought ${count(receipt.received, 'record')}`
  return withoutFix({
    code: 'api/wrong-total',
    fault: 'api',
    says: `The API counts ${count(total.value, counts)} and sends ${number(came)}, and says that these are all.`,
    evidence: [seen(`${total.at} is ${number(total.value)}; ${brought}, and the last names no next page.`, ...pages)],
    advice: 'Records may be hidden from these credentials, or the count is an estimate or counts something else.',
  })
}

/** Whether a claim of the API ended the read: no more cursor, or a condition that finds none. */
function isEndOfApi({ rules }: Case['read'], { stop, claimed }: Receipt): boolean {
  if (!rules.isCursorOfApi) return false
  return stop === 'no-cursor'
    ? claimed.more?.value !== true
    : stop === 'stop-condition' && claimed.more?.value === false
}
