/** A counting parameter → a candidate, with its page size and what the API returns past the end. */
import { byNumber, byPageCount, type PageCount } from './candidates.ts'
import type { Numbered } from './confirm.ts'
import type { Candidate } from './detection.ts'
import { type EndFilter, endFilters, missingPage, speaksOfLimit } from '../end-filter.ts'
import { findSize, type Sizing, defaultSizing } from './find-size.ts'
import type { Mover } from './guesses.ts'
import { type Probed, reserving, type DetectionSession, sendProbe } from './detection-session.ts'
import { moreFlagOf, namedTotals } from './first-page-claims.ts'
import { wordsOf } from '../names/name-style.ts'
import { isNameOf } from '../names/paging-names.ts'
import { leavesOutsideList } from './leaves.ts'
import { type ProbedPage, areEqual, isNew } from './probed-pages.ts'
import type { Put } from './probe-request.ts'
import type { ProbeResponse } from './probe-sender.ts'
import { searchableMessage } from '../../engine/response/body-message.ts'
import { isObject } from '../../std/values/objects.ts'

type NumberedCandidate = {
  readonly candidate: Candidate
  readonly endRule: EndFilter | null
  /** Why a read would not end; null where it does. */
  readonly endless: string | null
}

export async function explainNumbered(
  session: DetectionSession,
  { mover, size, evidence }: Numbered & { readonly mover: Mover },
  probed: readonly Probed[],
): Promise<NumberedCandidate> {
  const total = totalIn(session)
  const seen = refusedIn(probed)
  // One request is kept for what lies past the end.
  const rest = seen === null && mover.kind !== 'after' ? reserving(session, 1) : session
  const nextTo = mover.slot.into === 'path' ? null : mover.slot
  const found =
    mover.slot.after === undefined
      ? await findSize(rest, { known: size, likely: [], nextTo })
      : defaultSizing(session.first)
  let sizing: Sizing = { ...found, slot: found.slot ?? size }
  let end = seen ?? (await findPastEnd(session, mover, sizing, total))
  if (end.kind === 'repeated' && end.isFull && sizing.slot !== null && sizing.pageSize > 2) {
    const smaller = { ...sizing, pageSize: sizing.pageSize - 1 }
    const again = await findPastEnd(session, mover, smaller, total)
    if (again.kind === 'repeated' && !again.isFull) [sizing, end] = [smaller, again]
  }
  const flag = moreFlagOf(session)
  const refused = end.kind === 'refused' ? refusedEnd(end.response) : null
  const says = [...evidence, ...sizing.evidence, ...(refused === null ? sayEnd(end) : [refused.says])]
  const endless = endlessBy(end, sizing, total)
  const counted = endless === null || mover.slot.into === 'path' ? null : await findPageCount(session, mover, sizing)
  if (counted !== null) return { candidate: byPageCount(mover, sizing, counted, says), endRule: null, endless: null }
  const facts = { needsFirst: session.needed.length > 0, flag, id: session.layout.id, evidence: says }
  const candidate = byNumber(mover, sizing, facts)
  return {
    candidate: end.kind === 'first' && total === null ? { ...candidate, confidence: 'likely' } : candidate,
    endRule: refused?.rule ?? null,
    endless,
  }
}

/** The size of a page may have the name of a total: records that the first page does not have refute it. */
function totalIn({ first, layout, seen }: DetectionSession): number | null {
  const [total = null] = namedTotals(first, layout)
  const known = new Set(first.keys)
  const isRefuted = total === first.keys.length && seen.some(({ keys }) => keys.some((key) => !known.has(key)))
  return isRefuted ? null : total
}

function endlessBy(end: PastEnd, { pageSize }: Sizing, total: number | null): string | null {
  if (end.kind === 'repeated' && end.isFull)
    return 'The last page is full and is returned again past the end, so a read that counts pages would not end.'
  if (end.kind === 'first' && total !== null && total % pageSize === 0)
    return 'The last page is full, and past the end the first page is returned again, so a read that counts pages would not end.'
  return null
}

/** An earlier probe may have requested a page past the end. */
function refusedIn(probed: readonly Probed[]): PastEnd | null {
  const found = probed.find(
    ({ response, page }) => page === null && (response.status === 404 || response.status === 416),
  )
  return found === undefined ? null : { kind: 'refused', response: found.response }
}

function sayEnd(end: PastEnd): string[] {
  switch (end.kind) {
    case 'unknown':
    case 'refused':
      return []
    case 'empty':
      return ['past the end there are no records']
    case 'first':
      return [
        'past the end the first page is returned again: a read whose last page is full fails with pagination/loop',
      ]
    case 'repeated':
      return ['past the end the last page is returned again']
  }
}

/** Null where the last page does not say of itself that it is the last. */
async function findPageCount(
  session: DetectionSession,
  { kind, slot, base }: Mover,
  sizing: Sizing,
): Promise<PageCount | null> {
  if (kind !== 'page' || session.needed.length > 0) return null
  const size: Put[] = sizing.slot === null ? [] : [{ slot: sizing.slot, value: sizing.pageSize }]
  const second = await sendProbe(session, 'Does a page say which one it is?', [{ slot, value: base + 1 }, ...size])
  const named = second?.page ? namedIn(second.page, session, base + 1) : null
  if (named === null) return null
  const value = base + named.count - 1
  const last = await sendProbe(session, 'Is it the last one by its number?', [{ slot, value }, ...size])
  if (!last?.page || last.page.keys.length === 0) return null
  const again = namedIn(last.page, session, value)
  return again !== null && again.count === named.count ? named : null
}

type Named = PageCount & { readonly count: number }

function namedIn({ response }: ProbedPage, { layout }: DetectionSession, number: number): Named | null {
  const numbers = leavesOutsideList(response.body, layout.path).flatMap(({ path, value }) =>
    typeof value === 'number' ? [{ path, value, name: path.at(-1) ?? '' }] : [],
  )
  const position = numbers.find(({ name, value }) => value === number && isNameOf('page', name))
  const pages = numbers.find(({ name, value }) => value > 1 && isPageCount(name))
  if (position === undefined || pages === undefined) return null
  return { position: position.path, pages: pages.path, count: pages.value }
}

/** `pagetotal`, `page_count`, `totalPages`, `pages`, and no `per_page`. */
function isPageCount(name: string): boolean {
  const letters = wordsOf(name).join('')
  return (
    /^(total|num|number|nb|no)?(of)?pages?(total|count|s)?$/.test(letters) && letters !== 'page' && letters !== 'pageno'
  )
}

/** What the API returns past the last page: nothing, a refusal, or the last page again. */
type PastEnd =
  | { readonly kind: 'unknown' | 'empty' }
  /** The first page again: a last page that is full would be followed by it. */
  | { readonly kind: 'first' }
  | { readonly kind: 'refused'; readonly response: ProbeResponse }
  /** The last page again, whatever number is requested. */
  | { readonly kind: 'repeated'; readonly isFull: boolean }

/** Beyond what small APIs hold, and within what most let one skip. */
const far = 9_000

async function findPastEnd(
  session: DetectionSession,
  mover: Mover,
  sizing: Sizing,
  total: number | null,
): Promise<PastEnd> {
  if (mover.kind === 'after' || session.sender.left() === 0) return { kind: 'unknown' }
  const size = Math.max(1, sizing.pageSize)
  const end = total ?? far
  const value = mover.kind === 'page' ? Math.ceil(end / size) + mover.base : mover.kind === 'position' ? end + 1 : end
  const puts: Put[] = [
    { slot: mover.slot, value },
    ...(sizing.slot === null ? [] : [{ slot: sizing.slot, value: size }]),
  ]
  const probed = await sendProbe(session, 'What is past the end?', puts)
  if (probed === null) return { kind: 'unknown' }
  const { response, page } = probed
  if (page === null)
    return response.status !== null && [400, 404, 410, 416, 422].includes(response.status)
      ? { kind: 'refused', response }
      : { kind: 'unknown' }
  if (page.keys.length === 0) return { kind: 'empty' }
  const isFirst = page.keys[0] === session.first.keys[0] && (total === null || total > Math.max(size, page.keys.length))
  if (isFirst) return { kind: 'first' }
  // With a known total nothing can be there; without, it may be a page far away.
  const isLastAgain = total !== null || !isNew(page.keys, session.first.keys) || page.keys.length < size
  if (isLastAgain) return { kind: 'repeated', isFull: page.keys.length >= size }
  const further = puts.map((put) => (put.slot === mover.slot ? { ...put, value: value + stepOf(mover, size) } : put))
  const again = await sendProbe(session, 'Is there another page after it?', further)
  return again?.page && areEqual(again.page.keys, page.keys) ? { kind: 'repeated', isFull: true } : { kind: 'unknown' }
}

function stepOf({ kind }: Mover, size: number): number {
  return kind === 'offset' ? size : 1
}

/** A refused page past the end → a filter that recognises it, or why there is none. */
type RefusedEnd = {
  /** Null where the words may be about anything: a read that comes to this page fails with them. */
  readonly rule: EndFilter | null
  readonly says: string
}

function refusedEnd({ status, message, isJson, body, response }: ProbeResponse): RefusedEnd {
  const answered = message === null ? String(status) : `${status}, ${message.replace(/\.$/, '')}`
  const searched = response === null ? '' : searchableMessage(response)
  const everything = [searched, message ?? '', ...sentencesIn(body, deepest)].join('\n')
  if (speaksOfLimit(everything))
    return {
      rule: null,
      says: `the API refuses pages past its own limit (${answered}): a read that reaches it fails with this message`,
    }
  // An HTML page that says `not found` is about the URL.
  const rule = isJson ? ruleFor(searched, message ?? '', status === 404 ? missingPage : undefined) : null
  if (rule !== null)
    return { rule, says: `past the end it answers ${answered}: the manifest recognizes the end by these words` }
  return {
    rule,
    says: `past the end it answers ${answered}, which may mean anything: a read whose last page is full requests the page after it, and fails with this response`,
  }
}

/** `error_message_contains` reads some members only; a predicate reads the whole response. */
function ruleFor(searched: string, message: string, alsoEnd?: RegExp): EndFilter | null {
  return (
    endFilters(searched, alsoEnd)[0] ?? endFilters(message, alsoEnd).find((filter) => 'predicate' in filter) ?? null
  )
}

const deepest = 6

/** Strings of several words: a limit may be mentioned next to the message. */
function sentencesIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return /\S\s\S/.test(value) ? [value] : []
  if (depth === 0) return []
  const members = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
  return members.flatMap((member) => sentencesIn(member, depth - 1))
}
