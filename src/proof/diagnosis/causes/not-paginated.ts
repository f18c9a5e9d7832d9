/** One page is read, and the API has more: ways to continue are taken from the response, and tried. */
import type { Receipt } from '../../receipts/receipt.ts'
import type { Case, Hypothesis } from '../case.ts'
import { cursorPlacesIn, stopAtFlag } from '../cursor-places.ts'
import type { Evidence } from '../diagnosis.ts'
import { type Cause, seen, withoutFix } from '../cause.ts'
import type { ManifestPlace } from '../manifest-place.ts'
import { namedClaims } from '../named-claims.ts'
import { keyName, type PageSummary } from '../page-summary.ts'
import { countedNames, cursorNames } from '../names-to-try.ts'
import { followingPaginator, nextAddress, requestOption, tokenPlaces, whereWords } from '../page-token-options.ts'
import { tryInOrder } from '../trial.ts'

export const notPaginated: Cause = async (subject, tools) => {
  const { receipt, pages, place } = subject
  const [first] = pages
  if (receipt?.stop !== 'not-paginated' || first === undefined) return null
  const says = `The manifest has no pagination and reads ${first.received} records; the API has more.`
  if (receipt.verdict === 'unproven' && place !== null) {
    // A name such as `cursor` claims no next page by itself; records that were not there yet show one.
    const unclaimed = following(subject, place, first, { says, evidence: [] }, 'missing/not-paginated')
    return tryInOrder(subject, unclaimed.slice(0, mostUnclaimed), tools)
  }
  if (receipt.verdict !== 'incomplete') return null
  const evidence = [seen(`Page 1: ${receipt.reason}${receipt.at ? ` (${receipt.at})` : ''}.`, first)]
  const hypotheses = place === null ? [] : waysOn(subject, place, first, { says, evidence })
  const found = await tryInOrder(subject, hypotheses, tools)
  if (found !== null) return found
  const advice = `${subject.whyNot} Add a paginator: \`npx turnleaf detect\` finds out how the API paginates.`.trim()
  return withoutFix({ code: 'missing/not-paginated', fault: 'manifest', says, evidence, advice })
}

/** Each takes a request, even where nothing is wrong. */
const mostUnclaimed = 2

type Said = { readonly says: string; readonly evidence: readonly Evidence[] }

function waysOn(subject: Case, place: ManifestPlace, first: PageSummary, said: Said): Hypothesis[] {
  const named = following(subject, place, first, said, 'missing/not-paginated')
  const after = afterKey(subject, place, first, said)
  const counted = counting(subject, place, first, said)
  return [...named, ...(isCounted(subject) ? [...counted, ...after] : [...after, ...counted])]
}

/** Whether the API counts its records or pages, as those do that are asked by number. */
function isCounted({ receipt }: Case): boolean {
  return (receipt?.claimed.total ?? receipt?.claimed.pages ?? null) !== null
}

/** What the API itself names as the next page. */
export function following(
  { read }: Pick<Case, 'read'>,
  place: ManifestPlace,
  page: PageSummary,
  { says, evidence }: Said,
  code: Hypothesis['code'],
): Hypothesis[] {
  const stop = stopAtFlag(namedClaims(page, read.rules.recordPath))
  return cursorPlacesIn(page, read.rules.recordPath).flatMap((cursor): Hypothesis[] => {
    const one = (words: string, token: Record<string, unknown>, value?: string | number): Hypothesis => ({
      code,
      why: `whether ${cursor.at} leads to the next page`,
      says,
      evidence: [...evidence, seen(`${cursor.at} names the next page.`, page)],
      fix: {
        says: words,
        edits: [
          { path: place.paginator, value: followingPaginator(place, cursor, token, cursor.isLink ? null : stop) },
        ],
      },
      ...(value !== undefined && { firstTry: { value } }),
    })
    if (cursor.isLink) return [one(`Follow the address at ${cursor.at}.`, nextAddress)]
    return tokenPlaces(place, cursorNames(cursor).slice(0, 5), cursor.above).map(({ into, name }) =>
      one(`Send the value at ${cursor.at} as ${whereWords[into]} ${name}.`, requestOption(into, name), cursor.value),
    )
  })
}

/** Numbers: of records to skip, or of the page. The size is the one that the API chose itself. */
function counting(
  { read, receipt }: Case,
  place: ManifestPlace,
  first: PageSummary,
  { says, evidence }: Said,
): Hypothesis[] {
  const { recordPath } = read.rules
  const one = (name: string, strategy: Record<string, unknown>, value: number): Hypothesis[] =>
    tokenPlaces(place, [name]).map(({ into, name: called }) => ({
      code: 'missing/not-paginated',
      why: `whether ${called} returns other records`,
      says,
      evidence,
      fix: {
        says: `Read page by page, with ${whereWords[into]} ${called}.`,
        edits: [
          {
            path: place.paginator,
            value: {
              type: 'DefaultPaginator',
              pagination_strategy: { ...strategy, page_size: first.received },
              page_token_option: requestOption(into, called),
            },
          },
        ],
      },
      firstTry: { value },
    }))
  const byOffset = countedNames('offset', first, recordPath)
    .slice(0, 3)
    .flatMap((name) => one(name, { type: 'OffsetIncrement' }, first.received))
  const byPage = countedNames('page', first, recordPath)
    .slice(0, 3)
    .flatMap((name) => [
      // Where pages count from 1, page 1 is the first page again: nothing new comes, and page 2 is tried.
      ...one(name, { type: 'PageIncrement', start_from_page: 0 }, 1),
      ...one(name, { type: 'PageIncrement', start_from_page: 1 }, 2),
    ])
  return speaksOfPages(first, receipt) ? [...byPage, ...byOffset] : [...byOffset, ...byPage]
}

/** APIs that only say whether there is more often continue after the key of the last record. */
function afterKey(
  { read: { plan } }: Case,
  place: ManifestPlace,
  first: PageSummary,
  { says, evidence }: Said,
): Hypothesis[] {
  const stop = stopAtFlag(first.found)
  const key = keyName(plan, first)
  if (stop === null || key === null) return []
  const value = first.last?.value
  return tokenPlaces(place, ['after', 'starting_after', 'since_id', 'last_id', 'cursor']).map(({ into, name }) => ({
    code: 'missing/not-paginated',
    why: `whether ${name} continues after a record`,
    says,
    evidence,
    fix: {
      says: `Continue after the ${key} of the last record, with ${whereWords[into]} ${name}.`,
      edits: [
        {
          path: place.paginator,
          value: {
            type: 'DefaultPaginator',
            pagination_strategy: {
              type: 'CursorPagination',
              cursor_value: `{{ last_record[${JSON.stringify(key)}] }}`,
              stop_condition: stop,
            },
            page_token_option: requestOption(into, name),
          },
        },
      ],
    },
    ...(value !== undefined && { firstTry: { value } }),
  }))
}

function speaksOfPages({ found }: PageSummary, receipt: Receipt | null): boolean {
  return (receipt?.claimed.pages ?? null) !== null || found.numbers.some(({ counts }) => counts === 'pages')
}
