/** One page is read, and the API has more: how it goes on is read from what it says, and tried. */
import type { Receipt } from '../../receipt.ts'
import type { Case, Hypothesis } from '../case.ts'
import { cursorPlacesIn } from '../cursor-places.ts'
import type { Evidence } from '../diagnosis.ts'
import { type Examine, seen, withoutFix } from '../examine.ts'
import type { ManifestPlace } from '../manifest-place.ts'
import { countedNames, cursorNames } from '../paging-names.ts'
import { followingPaginator, nextAddress, requestOption, usualInto } from '../paginators.ts'
import { tryInOrder } from '../trial.ts'
import type { WalkedPage } from '../walked-page.ts'

export const notPaginated: Examine = async (subject, tools) => {
  const { receipt, pages, place } = subject
  const [first] = pages
  if (receipt?.stop !== 'not-paginated' || receipt.verdict !== 'incomplete' || first === undefined) return null
  const says = `The manifest has no pagination and reads ${first.received} records; the API has more.`
  const evidence = [seen(`Page 1: ${receipt.reason}${receipt.at ? ` (${receipt.at})` : ''}.`, first)]
  const hypotheses = place === null ? [] : waysOn(subject, place, first, { says, evidence })
  const found = await tryInOrder(subject, hypotheses, tools)
  if (found !== null) return found
  const advice = `${subject.whyNot} Add a paginator: \`turnleaf detect\` finds out how the API goes on.`.trim()
  return withoutFix({ code: 'missing/not-paginated', fault: 'manifest', says, evidence, advice })
}

type Said = { readonly says: string; readonly evidence: readonly Evidence[] }

function waysOn(subject: Case, place: ManifestPlace, first: WalkedPage, said: Said): Hypothesis[] {
  return [...following(subject, place, first, said, 'missing/not-paginated'), ...counting(subject, place, first, said)]
}

/** What the API itself names as the next page. */
export function following(
  { walk }: Pick<Case, 'walk'>,
  place: ManifestPlace,
  page: WalkedPage,
  { says, evidence }: Said,
  code: Hypothesis['code'],
): Hypothesis[] {
  return cursorPlacesIn(page, walk.rules.recordPath).flatMap((cursor): Hypothesis[] => {
    const one = (words: string, token: Record<string, unknown>, value?: string | number): Hypothesis => ({
      code,
      why: `whether ${cursor.at} leads to the next page`,
      says,
      evidence: [...evidence, seen(`${cursor.at} names the next page.`, page)],
      fix: { says: words, edits: [{ path: place.paginator, value: followingPaginator(place, cursor, token) }] },
      ...(value !== undefined && { firstTry: { value } }),
    })
    if (cursor.isLink) return [one(`Follow the address at ${cursor.at}.`, nextAddress)]
    const into = usualInto(place)
    return cursorNames(cursor)
      .slice(0, 5)
      .map((name) => one(`Send what stands at ${cursor.at} as ${name}.`, requestOption(into, name), cursor.value))
  })
}

/** Numbers: of records to skip, or of the page. The size is the one that the API chose itself. */
function counting(
  { walk, receipt }: Case,
  place: ManifestPlace,
  first: WalkedPage,
  { says, evidence }: Said,
): Hypothesis[] {
  const { recordPath } = walk.rules
  const into = usualInto(place)
  const one = (name: string, strategy: Record<string, unknown>, value: number): Hypothesis => ({
    code: 'missing/not-paginated',
    why: `whether ${name} brings other records`,
    says,
    evidence,
    fix: {
      says: `Read page by page, with ${name}.`,
      edits: [
        {
          path: place.paginator,
          value: {
            type: 'DefaultPaginator',
            pagination_strategy: { ...strategy, page_size: first.received },
            page_token_option: requestOption(into, name),
          },
        },
      ],
    },
    firstTry: { value },
  })
  const byOffset = countedNames('offset', first, recordPath)
    .slice(0, 3)
    .map((name) => one(name, { type: 'OffsetIncrement' }, first.received))
  const byPage = countedNames('page', first, recordPath)
    .slice(0, 3)
    .map((name) => one(name, { type: 'PageIncrement', start_from_page: 1 }, 2))
  return speaksOfPages(first, receipt) ? [...byPage, ...byOffset] : [...byOffset, ...byPage]
}

function speaksOfPages({ found }: WalkedPage, receipt: Receipt | null): boolean {
  return receipt?.claimed.pages !== null || found.numbers.some(({ counts }) => counts === 'pages')
}
