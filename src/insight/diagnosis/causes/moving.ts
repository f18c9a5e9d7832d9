/** Pages that come twice once, records that move from page to page, totals that are met twice over: what the API does by itself. */
import { count, number } from '../../../words.ts'
import { askOnce } from '../ask-again.ts'
import type { Case } from '../case.ts'
import { type Examine, seen, withoutFix } from '../examine.ts'
import type { TrialTools } from '../trial.ts'
import type { WalkedPage } from '../walked-page.ts'

/** A page in the middle that is another one once more, while the walk goes on with new ones. */
export const repeatedPage: Examine = async ({ repeats, pages }) => {
  const again = repeats.pages.find(({ page, sameAs }) => sameAs !== null && page.received > 1)
  const after = again && repeats.pages[pages.indexOf(again.page) + 1]
  if (again?.sameAs === undefined || again.sameAs === null || after?.again !== 0 || after.page.received === 0)
    return null
  if (again.page.first === null) return null
  return withoutFix({
    code: 'api/repeated-page',
    fault: 'api',
    says: `Page ${again.page.number} brings the records of page ${again.sameAs.number} once more.`,
    evidence: [
      seen(
        `Both begin with ${again.page.first} and have ${count(again.page.received, 'record')}.`,
        again.sameAs,
        again.page,
      ),
      seen(`They were asked for with different requests; page ${after.page.number} brings others.`, after.page),
    ],
    advice: 'Land the stream with a mode that removes duplicates, and ask the API’s owner whether answers are cached.',
  })
}

/** Where positions are counted, a record that is added or taken away moves all behind it. */
export const movedRows: Examine = async (subject, tools) => {
  const { repeats, pages, pagination } = subject
  if (pagination.kind !== 'offset' && pagination.kind !== 'page') return null
  const again = repeats.pages.find(({ again: some, page }) => some > 0 && some < page.received)
  const totals = totalsIn(pages)
  const isShrunk = totals.length > 1 && (totals.at(-1) ?? 0) < (totals[0] ?? 0)
  if (again === undefined && !isShrunk) return null
  const changed = await changedSince(subject, tools)
  const evidence = [
    ...(again === undefined
      ? []
      : [seen(`Page ${again.page.number} brings ${count(again.again, 'record')} that came before.`, again.page)]),
    ...(totals.length > 1
      ? [seen(`The total went from ${number(totals[0] ?? 0)} to ${number(totals.at(-1) ?? 0)}.`, ...pages)]
      : []),
    ...(changed === null
      ? []
      : [seen(`Asked again, page ${changed.number} brings other records than before.`, changed)]),
  ]
  if (evidence.length < 2 && changed === null) return null
  return withoutFix({
    code: 'api/rows-moved',
    fault: 'api',
    says: 'Records were added or taken away while the pages were read, and the others moved: some came twice or not at all.',
    evidence,
    advice: 'Sort by a field that never changes, oldest first, or go on after a key instead of counting positions.',
  })
}

function totalsIn(pages: readonly WalkedPage[]): number[] {
  const all = pages.flatMap(({ found }) =>
    found.numbers.filter(({ counts, isNamed }) => counts === 'records' && isNamed),
  )
  const [first] = all
  const same = all.filter(({ place }) => place.join() === first?.place.join()).map(({ value }) => value)
  return same.filter((value, index) => index === 0 || value !== same[index - 1])
}

/** The first two pages once more: whether one of them is no longer what it was. */
async function changedSince(subject: Case, tools: TrialTools): Promise<WalkedPage | null> {
  for (const page of subject.pages.slice(0, 2)) {
    const now = await askOnce(subject, tools, `whether page ${page.number} is still the same`, page.token)
    if (now === null || now.error !== null) return null
    if (now.pages[0]?.prints.join() !== page.prints.join()) return page
  }
  return null
}

/** More records than the API counts, none of them twice. */
export const wrongTotal: Examine = async ({ receipt, repeats, pages, walk }) => {
  const total = receipt?.claimed.total ?? null
  if (receipt === null || total === null || walk.rules.isSliced || repeats.repeated > 0) return null
  if (receipt.received <= total.value || !repeats.tellsApart || receipt.stop === 'error') return null
  return withoutFix({
    code: 'api/wrong-total',
    fault: 'api',
    says: `The API counts ${number(total.value)} records and sends ${number(receipt.received)}, none of them twice.`,
    evidence: [
      seen(
        `${total.at} is ${number(total.value)}; ${count(pages.length, 'page')} brought ${number(receipt.received)}.`,
        ...pages,
      ),
    ],
    advice: 'Nothing is missing as far as can be seen; the count is an estimate, or counts something else.',
  })
}
