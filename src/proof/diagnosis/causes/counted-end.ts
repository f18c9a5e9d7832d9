/** A counting read ends at a short or empty page although the API has more: another way of counting, a gap, or a wrong total. */
import { stringifyJson } from '../../../std/json.ts'
import { count, number } from '../../../std/text/format-count.ts'
import type { Receipt } from '../../receipts/receipt.ts'
import { requestOnce, tokenAfter, bringsOnlyNew, bringsSomeNew, tryInOrder, type TrialTools } from '../trial.ts'
import type { Case, Hypothesis } from '../case.ts'
import type { Evidence, Finding } from '../diagnosis.ts'
import { type Cause, seen, withoutFix } from '../cause.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'
import type { PageSummary } from '../page-summary.ts'
import { following } from './not-paginated.ts'
import { isAllThere } from './start-page.ts'

export const countedEnd: Cause = async (subject, tools) => {
  const { receipt, pages, pagination, place } = subject
  const last = pages.at(-1)
  const isCounted = pagination.kind === 'offset' || pagination.kind === 'page'
  if (!isCounted || receipt === null || last === undefined) return null
  if (receipt.stop !== 'short-page' && receipt.stop !== 'empty-page') return null
  if (receipt.verdict !== 'incomplete') {
    // An offset of 100 that the API reads as page 100 returns an empty page, which looks like the end.
    const isOpen =
      place !== null && !isAllThere(receipt) && subject.repeats.areDistinguishable && pages[0]?.first != null
    return isOpen ? tryInOrder(subject, otherMethod(subject, place, receipt), tools) : null
  }
  const method = place === null ? null : await tryInOrder(subject, otherMethod(subject, place, receipt), tools)
  if (method !== null) return method
  const isEmpty = last.received === 0
  const code = isEmpty ? 'api/empty-page' : 'api/short-page'
  const says = `Page ${last.number} is ${isEmpty ? 'empty' : `short, with ${count(last.received, 'record')}`}, and is taken for the last although the API has more.`
  const evidence = [seen(`Page ${last.number}: ${receipt.reason}${receipt.at ? ` (${receipt.at})` : ''}.`, last)]
  const ways = place === null ? [] : waysOn(subject, place, last, { says, evidence })
  const found = await tryInOrder(
    subject,
    ways.map((one) => ({ ...one, code, fault: 'api' as const })),
    tools,
  )
  return found ?? afterTheEnd(subject, tools, last, { code, says, evidence, receipt })
}

/** Offsets that the API reads as page numbers: page 100 is empty. */
function otherMethod({ pagination, pages }: Case, place: ManifestPlace, receipt: Receipt): Hypothesis[] {
  const [first, second] = pages
  if (pagination.kind !== 'offset' || first === undefined || second?.received !== 0 || pages.length !== 2) return []
  const asked = `Page 2 was requested with ${String(second.token?.value)} and is empty; ${receipt.reason}.`
  return countingPages(place, [seen(asked, first, second)])
}

/** The number is sent as it was, and counts pages instead of records. */
export function countingPages(place: ManifestPlace, evidence: readonly Evidence[]): Hypothesis[] {
  const { page_size } = place.written.strategy
  // Page 1 is the first one again where they count from 1; asked the other way round, a page would be passed over.
  return [0, 1].map((start) => ({
    code: 'duplicates/method',
    why: `whether the number that is sent counts pages from ${start}`,
    says: 'The manifest sends how many records to skip; the API takes the number of a page.',
    evidence,
    fix: {
      says: `Count pages from ${start} instead of records: Page Increment.`,
      edits: [
        {
          path: place.strategy,
          value: { type: 'PageIncrement', ...(page_size !== undefined && { page_size }), start_from_page: start },
        },
      ],
    },
    firstTry: { value: start + 1 },
  }))
}

type Said = { readonly says: string; readonly evidence: readonly Evidence[] }

function waysOn(subject: Case, place: ManifestPlace, last: PageSummary, said: Said): Hypothesis[] {
  const named = following(subject, place, last, said, 'api/short-page')
  return [...named, ...(last.received > 0 ? untilEmpty(subject, place, last, said) : [])]
}

/** The same size is requested, but only an empty page ends the read, not a short one. */
function untilEmpty(subject: Case, place: ManifestPlace, last: PageSummary, { says, evidence }: Said): Hypothesis[] {
  const { pagination } = subject
  const size = pagination.kind === 'none' ? null : pagination.size
  const nextToken = tokenAfter(subject, last)
  const { request_parameters: parameters = {} } = place.written.requester
  if (size?.placement.into !== 'query' || typeof parameters === 'string' || nextToken === null) return []
  const { name } = size.placement
  return [
    {
      code: 'api/short-page',
      why: 'whether more follows after the short page',
      says,
      evidence,
      fix: {
        says: `Continue until a page is empty: send ${name} as a plain parameter, and give the method no page size.`,
        edits: [
          { path: [...place.requester, 'request_parameters', name], value: textOf(place.written.strategy.page_size) },
          ...set(place.paginator, { page_size_option: undefined }),
          ...set(place.strategy, { page_size: undefined }),
        ],
      },
      firstTry: nextToken,
      ...(last.token !== null && { from: last.token }),
      isShownBy: (after) => bringsSomeNew(subject, after),
    },
  ]
}

/** Parameters are strings; a template stays one. */
function textOf(size: unknown): string {
  return typeof size === 'string' ? size : (stringifyJson(size) ?? '')
}

type Ending = Said & { readonly code: 'api/empty-page' | 'api/short-page'; readonly receipt: Receipt }

/** What follows the last page decides: records mean a gap; nothing means a wrong total. */
async function afterTheEnd(
  subject: Case,
  tools: TrialTools,
  last: PageSummary,
  { code, says, evidence, receipt }: Ending,
): Promise<Finding | null> {
  const nextToken = tokenAfter(subject, last)
  const shortRead = nextToken && (await requestOnce(subject, tools, 'what follows the last page', nextToken))
  if (shortRead === null || shortRead.error !== null) return null
  if (bringsOnlyNew(subject, shortRead)) {
    const advice =
      `${subject.whyNot} Follow what the API names as the next page, if it names one, or read smaller slices.`.trim()
    return withoutFix({ code, fault: 'api', says, evidence, advice })
  }
  const counted = countedTooMany(receipt)
  if (counted === null || shortRead.pages[0]?.received !== 0) return null
  return withoutFix({
    code: 'api/wrong-total',
    fault: 'api',
    says: `The API counts ${counted}, and nothing more follows.`,
    evidence: [...evidence, seen(`Nothing follows page ${last.number}.`, last)],
    advice: 'Records may be hidden from these credentials, or the count is an estimate: compare with another client.',
  })
}

/** `550 records and sends 450`; null where it counts no more than it sends. */
function countedTooMany({ claimed: { total, pages }, received, pages: read }: Receipt): string | null {
  if (total !== null)
    return total.value > received ? `${count(total.value, 'record')} and sends ${number(received)}` : null
  return pages !== null && pages.value > read ? `${count(pages.value, 'page')} and sends ${number(read)}` : null
}
