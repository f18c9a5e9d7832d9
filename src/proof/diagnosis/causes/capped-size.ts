/** The first page is shorter than requested and mistaken for the last one: the API has a maximum size, or ignores the size. */
import { count, number } from '../../../std/text/format-count.ts'
import { digitsIn } from '../../claims/link-query.ts'
import type { Case, Hypothesis } from '../case.ts'
import { type Cause, seen, withoutFix } from '../cause.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'
import { requestOption, usualPlaces, whereWords } from '../page-token-options.ts'
import { sizeNames } from '../names-to-try.ts'
import { bringsOnlyNew, changed, readWith, tryInOrder, type TrialTools } from '../trial.ts'
import type { PageSummary } from '../page-summary.ts'

export const cappedSize: Cause = async (subject, tools) => {
  const { receipt, pages, place } = subject
  const size = askedSize(subject)
  const [first] = pages
  const isFirstShort = receipt?.stop === 'short-page' && pages.length === 1 && first !== undefined && first.received > 0
  if (!isFirstShort || size === null || first.received >= size) return null
  const isKnown = receipt.verdict === 'incomplete'
  // Without a claim of the API, only a round number is worth a request: caps are round, ends seldom are.
  if (!isKnown && (receipt.verdict === 'complete' || !isRound(first.received))) return null
  const { received } = first
  const says = `${number(size)} records were requested, the API sends ${number(received)}, and the short page is mistaken for the last one.`
  const evidence = [
    seen(`Page 1 has ${number(received)} records; ${number(size)} were requested.`, first),
    ...(isKnown ? [seen(`There is more: ${receipt.reason}${at(receipt.at)}.`, first)] : []),
  ]
  const found = { size, received, says, evidence, first }
  if (place === null) {
    if (!isKnown) return null
    const advice = `Set page_size to ${received}. ${subject.whyNot}`
    return withoutFix({ code: 'missing/page-size-capped', fault: 'manifest', says, evidence, advice })
  }
  const shrinking = smaller(subject, place, found)
  if (!isKnown && !(await hasMore(subject, shrinking, tools))) return null
  const ignored = await isIgnored(subject, place, found, tools)
  return tryInOrder(subject, ignored === null ? [shrinking] : ignoredSize(subject, place, found, ignored), tools)
}

function at(place: string | undefined): string {
  return place === undefined ? '' : ` (${place})`
}

/** The number of records that ends the read when a page has fewer. */
function askedSize({ pagination }: Pick<Case, 'pagination'>): number | null {
  if (pagination.kind !== 'offset' && pagination.kind !== 'page') return null
  const { pageSize } = pagination
  if (pageSize === null || typeof pageSize === 'number') return pageSize
  // An offset whose size is not sent may compute it from the response; a plain number is one all the same.
  return digitsIn(pageSize.source.trim())
}

function isRound(received: number): boolean {
  if (received < 10) return received === 5 || received === 8
  return received % 10 === 0 || received % 25 === 0 || Number.isInteger(Math.log2(received))
}

type Seen = Pick<Hypothesis, 'says' | 'evidence'> & {
  readonly size: number
  readonly received: number
  readonly first: PageSummary
}

function smaller({ pagination }: Case, { strategy }: ManifestPlace, { says, evidence, received }: Seen): Hypothesis {
  const value = pagination.kind === 'page' ? pagination.firstPage + 1 : received
  return {
    code: 'missing/page-size-capped',
    why: `whether more follows when ${count(received, 'record')} a page are requested`,
    says,
    evidence,
    fix: { says: `Set page_size to ${received}.`, edits: set(strategy, { page_size: received }) },
    firstTry: { value },
  }
}

/** Whether a page follows the short one at all. */
async function hasMore(subject: Case, { why, fix, firstTry }: Hypothesis, tools: TrialTools): Promise<boolean> {
  const manifest = changed(tools, fix.edits)
  if (manifest === null || tools.probing.left() <= 0) return false
  return bringsOnlyNew(subject, await readWith(subject, manifest, { why, from: firstTry, pages: 1 }, tools))
}

/** The name of the size parameter, if requesting half as many records has no effect; null otherwise. */
async function isIgnored(
  { pagination, ...subject }: Case,
  place: ManifestPlace,
  { received }: Seen,
  tools: TrialTools,
): Promise<string | null> {
  const sent = pagination.kind === 'none' ? null : (pagination.size?.placement ?? null)
  const half = Math.floor(received / 2)
  if (sent === null || sent.into === 'path' || half < 1 || tools.probing.left() <= 0) return null
  const name = sent.into === 'json' ? sent.path.join('.') : sent.name
  const manifest = changed(tools, set(place.strategy, { page_size: half }))
  if (manifest === null) return null
  const why = `whether the API reads ${name}`
  const { error, pages } = await readWith({ pagination, ...subject }, manifest, { why, pages: 1 }, tools)
  return error === null && pages[0]?.received === received ? name : null
}

/** How many names are tried; each takes one request. */
const mostNames = 7

/** Another name first: larger pages need fewer requests. */
function ignoredSize(
  subject: Case,
  place: ManifestPlace,
  { size, received, evidence, first }: Seen,
  name: string,
): Hypothesis[] {
  const { read } = subject
  const [into = 'request_parameter'] = usualPlaces(place)
  const said = {
    code: 'missing/page-size-ignored',
    says: `The API does not read ${name}: it sends ${number(received)} records whether ${number(size)} or fewer are requested, and the short page is mistaken for the last one.`,
    evidence,
  } as const
  const names = sizeNames(first, read.rules.recordPath).filter((one) => one !== name)
  const renamed = names.slice(0, mostNames).map(
    (one): Hypothesis => ({
      ...said,
      why: `whether ${whereWords[into]} ${one} asks for a page size`,
      fix: {
        says: `Send the page size as ${whereWords[into]} ${one}.`,
        edits: set(place.paginator, { page_size_option: requestOption(into, one) }),
      },
      shortRead: 1,
      isShownBy: ({ error, pages: [page] }) => error === null && (page?.received ?? 0) > received,
    }),
  )
  const { firstTry: _, ...shrinking } = smaller(subject, place, { size, received, evidence, first, says: said.says })
  const says = `Set page_size to ${received}, the size that the API sends.`
  return [...renamed, { ...shrinking, ...said, shortRead: 2, fix: { ...shrinking.fix, says } }]
}
