/** The read continues past the end: pages are empty or repeat the last one, and another page is still requested. */
import { count } from '../../../std/text/format-count.ts'
import type { Case, Hypothesis } from '../case.ts'
import { expressionAt } from '../cursor-places.ts'
import type { Evidence } from '../diagnosis.ts'
import { type Cause, seen, withoutFix } from '../cause.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'
import { misspeltStop } from '../missing-paths.ts'
import { meaningsOf } from '../../names/claim-names.ts'
import { tryInOrder } from '../trial.ts'
import type { DiagnosticRead } from '../diagnostic-read.ts'
import type { PageSummary } from '../page-summary.ts'

export const pastEnd: Cause = async (subject, tools) => {
  const { repeats, pages, pagination, place, read } = subject
  const end = lastWithNews(subject)
  const tail = end === undefined ? [] : pages.slice(pages.indexOf(end) + 1)
  // The page at which the loop guard ends a read is not part of it.
  const isEndless = read.error?.code === 'pagination/loop' ? tail.length >= 1 : read.isCut && tail.length >= 2
  if (end === undefined || !isEndless || !repeats.areDistinguishable) return null
  const [next] = tail as [PageSummary]
  const isEmpty = tail.every(({ received }) => received === 0)
  const isLastAgain = tail.every((page) => page.received === 0 || repeats.pages[pages.indexOf(page)]?.sameAs === end)
  if (!isEmpty && !isLastAgain) return circle(subject, end, tail)
  const ending = saysEnd(end, repeats.distinct)
  const tokenStands = String(next.token?.value) === String(next.next?.value)
  if (ending === null && !tokenStands) return null
  const what = isEmpty ? 'empty' : 'the same page again'
  const says = `The read does not end: what comes after page ${end.number} is ${what}.`
  const evidence = [
    ...(ending === null ? [] : [seen(ending, end)]),
    seen(`${count(tail.length, 'page')} after it had ${isEmpty ? 'no records' : 'no new records'}.`, ...tail),
  ]
  const isOver = ending !== null || isEmpty
  const hypotheses = place === null || !isOver ? [] : conditions(subject, place, end, { says, evidence })
  const found = await tryInOrder(subject, hypotheses, tools)
  if (found !== null) return found
  const isOfApi = !isOver && read.rules.isCursorOfApi
  return withoutFix({
    code: isOfApi ? 'never-stops/same-page' : 'never-stops/stop-condition',
    fault: isOfApi ? 'api' : 'manifest',
    says: isOfApi ? `${says} The API returns the cursor that it was requested with.` : says,
    evidence,
    advice: isOfApi
      ? 'Report it to the API’s owner: a cursor that leads back to its own page never ends. The records up to there were read.'
      : `${subject.whyNot} Give the ${pagination.kind === 'cursor' ? 'cursor a stop condition' : 'method a page size'} that is met on the last page.`.trim(),
  })
}

function lastWithNews({ repeats }: Case): PageSummary | undefined {
  return repeats.pages.findLast(({ page, again }) => page.received > again)?.page
}

function circle({ read, repeats, pagination }: Case, end: PageSummary, tail: readonly PageSummary[]) {
  const back = repeats.pages.find(({ page }) => page === tail[0])?.sameAs ?? null
  const isCircle = read.error?.code === 'pagination/loop' && back !== null && back !== end
  if (!isCircle) return null
  // A counter, or a cursor from the API, repeats only through a fault of the API.
  const isOfApi = pagination.kind !== 'cursor' || read.rules.isCursorOfApi
  return withoutFix({
    code: 'never-stops/cycle',
    fault: isOfApi ? 'api' : 'manifest',
    says: `The pages repeat in a cycle: page ${end.number} leads back to page ${back.number}.`,
    evidence: [
      seen(`Page ${tail[0]?.number} repeats the records of page ${back.number}.`, back, ...tail.slice(0, 1)),
      seen(`${count(repeats.distinct, 'record')} came in ${count(end.number, 'page')} before the cycle closed.`, end),
    ],
    advice: isOfApi
      ? 'The API leads back to a page that was read before: report it to its owner. Later pages cannot be reached this way.'
      : 'The cursor must be made of something that only grows.',
  })
}

/** What the API says about its end, in words; null when it does not say it. */
function saysEnd(page: PageSummary, distinct: number): string | null {
  const { nexts, numbers } = page.found
  const flag = nexts.find(({ kind, says }) => kind === 'flag' && says === 'end')
  if (flag !== undefined) return `Page ${page.number} says that it is the last one (${flag.place.slice(1).join('.')}).`
  const total = numbers.find(({ counts, value, isNamed }) => counts === 'records' && isNamed && value === distinct)
  if (total !== undefined)
    return `With page ${page.number} all ${distinct} records were there (${total.place.slice(1).join('.')}).`
  const pages = numbers.find(({ counts, value, plus }) => counts === 'pages' && value + plus === page.number)
  if (pages !== undefined)
    return `Page ${page.number} is the last of ${page.number} (${pages.place.slice(1).join('.')}).`
  const none = nexts.find(({ says }) => says === 'end')
  return none === undefined ? null : `Page ${page.number} names no next page (${none.place.slice(1).join('.')}).`
}

type Said = { readonly says: string; readonly evidence: readonly Evidence[] }

/** What is true on the last page, and on no page before it. */
function conditions(
  { pagination, pages, read }: Case,
  place: ManifestPlace,
  end: PageSummary,
  said: Said,
): Hypothesis[] {
  const from = end.token ?? undefined
  const one = (condition: string, edits: Hypothesis['fix']['edits'], words: string): Hypothesis => ({
    code: 'never-stops/stop-condition',
    why: `whether the read ends ${condition}`,
    ...said,
    fix: { says: words, edits },
    ...(from !== undefined && { from }),
    isShownBy: (after) => endsThere(after, end),
  })
  if (pagination.kind === 'page' || pagination.kind === 'offset') {
    const [first] = pages
    const isShort = first !== undefined && end.received < first.received
    if (!isShort || pagination.pageSize !== null) return []
    const edits = set(place.strategy, { page_size: first.received })
    return [
      one('at a page that is short', edits, `Set page_size to ${first.received}: a shorter page is the last one.`),
    ]
  }
  if (pagination.kind !== 'cursor') return []
  const stopping = (condition: string, words: string) =>
    one(`where ${condition.slice(3, -3)}`, set(place.strategy, { stop_condition: condition }), words)
  const flags = end.found.nexts.flatMap(({ place: [from_, ...names], kind, says }) => {
    if (kind !== 'flag' || says !== 'end' || from_ !== 'body') return []
    const value = expressionAt(names)
    const isHasMore = meaningsOf(names.at(-1) ?? '').some((meaning) => meaning.kind === 'has-more')
    return [stopping(`{{ ${isHasMore ? 'not ' : ''}${value} }}`, `Stop where ${names.join('.')} says so.`)]
  })
  const meant = pages[0] === undefined ? null : misspeltStop(pagination, pages[0], read.rules.recordPath)
  const respelled =
    meant === null
      ? []
      : [
          stopping(
            meant.template.trim(),
            `Write \`${meant.right}\` where the stop condition reads \`${meant.wrong}\`, which the response does not have.`,
          ),
        ]
  return [...respelled, ...flags, stopping('{{ last_page_size == 0 }}', 'Stop at an empty page.')]
}

/** At the last page, or at the empty one after it. */
function endsThere({ error, isCut, pages }: DiagnosticRead, { received }: PageSummary): boolean {
  const [first, ...later] = pages
  return error === null && !isCut && first?.received === received && later.every((page) => page.received === 0)
}
