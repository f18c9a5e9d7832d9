/** The cursor is read at a place that no page has, and nothing shows that page 1 is the last: the cursor may be elsewhere. */
import { isUrl } from '../../../std/text/is-url.ts'
import { digitsIn } from '../../claims/link-query.ts'
import { isNameOf } from '../../names/paging-names.ts'
import { isObject } from '../../../std/values/objects.ts'
import { number } from '../../../std/text/format-count.ts'
import type { Case, Hypothesis } from '../case.ts'
import { type CursorPlace, cursorPlacesIn } from '../cursor-places.ts'
import type { Evidence, ManifestEdit } from '../diagnosis.ts'
import { type Cause, seen, withoutFix } from '../cause.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'
import { namedClaims } from '../named-claims.ts'
import type { PageSummary } from '../page-summary.ts'
import { cursorNames } from '../names-to-try.ts'
import { requestOption, tokenPlaces, whereWords } from '../page-token-options.ts'
import { readPlaces } from '../missing-paths.ts'
import { spelt } from '../../../engine/template/syntax/places-read.ts'
import { changed, continues, readWith, tryInOrder, type TrialTools } from '../trial.ts'
import { afterLast } from './after-last.ts'
import { isAllThere } from './start-page.ts'
import { readingAt, tokenAt } from './wrong-cursor.ts'

/** Each takes a request: few where the one page may be all there is. */
const mostPlaces = { sure: 4, unsure: 2 }
const mostNames = 2

export const unreadCursor: Cause = async (subject, tools) => {
  const { pages, pagination, place, receipt, read } = subject
  const [first, ...others] = pages
  if (pagination.kind !== 'cursor' || first === undefined || others.length > 0 || first.received === 0) return null
  if (receipt?.verdict !== 'unproven' || isAllThere(receipt) || !endsUnread(subject, first)) return null
  const { all, missing } = readPlaces(pagination.value.source, first)
  const [unread] = missing
  if (unread === undefined || missing.length < all.length) return null
  // A named claim of the API.
  if (namedClaims(first, read.rules.recordPath).nexts.some(({ says }) => says === 'end')) return null
  const asked = askedFor(subject, first)
  const size = asked?.size ?? null
  const isFull = size !== null && first.received >= size
  const seenSmaller = asked === null ? 'unknown' : await onSmallerPage(subject, asked, first, tools)
  if (seenSmaller === 'found') return null
  const isSure = seenSmaller === 'missing'
  const says = `The cursor \`${pagination.value.source.trim()}\` reads \`${spelt(unread)}\`, which no page has, so the read ends after page 1.`
  const evidence = [
    seen(`Page 1 has no \`${spelt(unread)}\`.`, first),
    ...(isFull
      ? [seen(`Page 1 is full: ${number(first.received)} records came, and ${number(size)} were requested.`, first)]
      : []),
    ...(isSure ? [seen('A smaller page, which cannot be the last one, does not have it either.', first)] : []),
  ]
  const places = cursorPlacesIn(first, read.rules.recordPath).slice(0, mostPlaces[isSure ? 'sure' : 'unsure'])
  const elsewhere =
    place === null
      ? []
      : places.flatMap((one) => tried(subject, one, placedAnew(subject, place, one, says, evidence), first))
  const after =
    place === null || !(isFull || isSure)
      ? []
      : afterLast(subject, place, 'missing/wrong-cursor', { says, evidence }).map(
          (one): Hypothesis => ({ ...one, shortRead: 2, isShownBy: (retried) => continues(subject, retried) }),
        )
  const found = await tryInOrder(subject, [...elsewhere, ...after], tools)
  if (found !== null || !(isFull || isSure)) return found
  return withoutFix({
    code: 'missing/wrong-cursor',
    fault: 'manifest',
    says,
    evidence,
    advice:
      `${subject.whyNot} Compare the path with the response of page 1.${isSure ? '' : ' If the API leaves the member out on its last page, and page 1 happens to be the last, nothing is wrong.'}`.trim(),
  })
}

/** As the token is sent now, and under the names that its place suggests: the manifest may be wrong about both. */
function placedAnew(
  subject: Case,
  place: ManifestPlace,
  cursor: CursorPlace,
  says: string,
  evidence: readonly Evidence[],
): Hypothesis[] {
  const here = readingAt(subject, place, cursor, says, evidence)
  const [first] = here
  const token = subject.pagination.kind === 'cursor' ? subject.pagination.token : null
  if (first === undefined || cursor.isLink || token === null || token.into === 'path') return here
  const now = token.into === 'json' ? token.path.join('.') : token.name
  const others = tokenPlaces(place, cursorNames(cursor).slice(0, 2), cursor.above).filter(({ name }) => name !== now)
  const renamed = others.slice(0, mostNames).map(
    ({ into, name }): Hypothesis => ({
      ...first,
      fix: {
        says: `Read the cursor at ${cursor.at}, and send it as ${whereWords[into]} ${name}.`,
        edits: [...first.fix.edits, ...set(place.paginator, { page_token_option: requestOption(into, name) })],
      },
    }),
  )
  return [...here, ...renamed]
}

/** There is no cursor, or the stop condition reads nothing but what is not there either. */
function endsUnread({ pagination, receipt }: Case, first: PageSummary): boolean {
  if (receipt?.stop !== 'stop-condition' || pagination.kind !== 'cursor' || pagination.stopWhen === null)
    return receipt?.stop === 'no-cursor'
  const { all, missing } = readPlaces(pagination.stopWhen.source, first)
  return all.length > 0 && missing.length === all.length
}

function tried(
  subject: Case,
  cursor: Parameters<typeof tokenAt>[0],
  hypotheses: readonly Hypothesis[],
  first: PageSummary,
): Hypothesis[] {
  const token = tokenAt(cursor, first)
  return token === null
    ? []
    : hypotheses.map((one) => ({
        ...one,
        firstTry: token,
        shortRead: 2,
        isShownBy: (after) => continues(subject, after),
      }))
}

type AskedSize = {
  readonly size: number
  /** The change that asks for so many; null where the manifest cannot be changed. */
  readonly smaller: ((size: number) => readonly ManifestEdit[]) | null
}

/** How many records the request asks for, by the paginator or by a parameter that is named for it; null where it does not say. */
function askedFor({ read: { rules }, place }: Case, { request }: PageSummary): AskedSize | null {
  if (rules.askedSize !== null) {
    const isWritten = place !== null && place.written.strategy.page_size !== undefined
    const smaller = isWritten ? (size: number) => set(place.strategy, { page_size: size }) : null
    return { size: rules.askedSize, smaller }
  }
  if (!isUrl(request.url)) return null
  const sizes = [...new URL(request.url).searchParams].flatMap(([name, value]) => {
    const size = isNameOf('size', name) ? digitsIn(value) : null
    return size === null || size < 1 ? [] : [{ name, size }]
  })
  const [only] = sizes
  if (only === undefined || sizes.length > 1) return null
  const { request_parameters: parameters } = place?.written.requester ?? {}
  const isWritten = place !== null && isObject(parameters) && Object.hasOwn(parameters, only.name)
  const smaller = isWritten
    ? (size: number) => [{ path: [...place.requester, 'request_parameters', only.name], value: String(size) }]
    : null
  return { size: only.size, smaller }
}

/** Half of the records are requested: if fewer come, more pages follow, and the cursor must be there. */
async function onSmallerPage(
  subject: Case,
  { smaller }: AskedSize,
  { received }: PageSummary,
  tools: TrialTools,
): Promise<'found' | 'missing' | 'unknown'> {
  const half = Math.floor(received / 2)
  const manifest = smaller === null || half < 1 ? null : changed(tools, smaller(half))
  if (manifest === null || tools.probing.left() <= 0) return 'unknown'
  const why = 'whether a page that is not the last one has the cursor'
  const { error, pages } = await readWith(subject, manifest, { why, pages: 1 }, tools)
  const [page] = pages
  if (error !== null || page === undefined || page.received === 0 || page.received >= received) return 'unknown'
  return page.next === null ? 'missing' : 'found'
}
