/** The first page and a few probes → what explains them, and how sure that is. */
import type { Members } from '../../std/values/objects.ts'
import { number } from '../../std/text/format-count.ts'
import { byObject, byToken, followed, unpaginatedCandidate, possible } from './candidates.ts'
import type { Candidate, Detection } from './detection.ts'
import { findCursorSlot } from './find-cursor.ts'
import type { EndFilter } from '../end-filter.ts'
import { explainNumbered } from './explain-numbered.ts'
import { findGiven } from './find-given.ts'
import { findNumbered } from './find-numbered.ts'
import { findSize, type Sizing, defaultSizing } from './find-size.ts'
import { areDistinct, isNew, type ProbedPage } from './probed-pages.ts'
import { isSamePointer, type Pointer, pointersIn, putsOf, type TokenObject, tokenObjectsIn } from './pointers.ts'
import { fixedNames, isSameSlot, type Put, inQuery, requestTo, type Slot, withoutQuery } from './probe-request.ts'
import { isRefused } from './refusals.ts'
import { endClaimed, moreClaimed, namedTotals, hintsAtMore, moreFlagOf } from './first-page-claims.ts'
import type { Expected } from './reread.ts'
import { sendProbe, type DetectionSession, probeRequest } from './detection-session.ts'
import type { Tried } from './confirm.ts'
import type { Mover } from './guesses.ts'
import { isSamePath } from './leaves.ts'
import { isSlotOf } from './slots.ts'
import { sameOrigin } from '../../engine/request/url.ts'
import { isNameOf } from '../names/paging-names.ts'

export type Explanation = Pick<Detection, 'answer' | 'says' | 'candidates'> & {
  readonly records: readonly Members[]
  readonly endRule: EndFilter | null
  readonly expected: Expected
}

export async function explain(session: DetectionSession): Promise<Explanation> {
  const { first } = session
  const cannot = (says: string, candidates: readonly Candidate[] = namedOnly(session)): Explanation => ({
    answer: 'cannot-tell',
    says,
    candidates,
    records: first.records,
    endRule: null,
    expected: session,
  })
  if (first.keys.length === 0) return cannot('The list is empty, so pages cannot be compared.')
  if (!areDistinct(first.keys)) return cannot('Records on the first page are alike, so pages cannot be compared.')

  const pointed = await byPointer(session, first, [])
  if (pointed !== null) return shown(session, pointed)

  const given = await findGiven(session)
  if (given !== null) {
    const { candidate, endRule, endless } = await explainNumbered(given.session, given.found, [])
    if (endless === null) return { ...shown(given.session, candidate), endRule }
  }

  const search = await findNumbered(session)
  const { found } = search
  if (found !== null && found.mover !== null) {
    const paged = await pagedSession(session, found.mover, search.tried)
    if (paged === null)
      return cannot('The response has another shape once a page is requested, and no first page in it.')
    const strict = { ...paged, isStrict: search.isStrict }
    const { candidate, endRule, endless } = await explainNumbered(
      strict,
      { ...found, mover: found.mover },
      search.probed,
    )
    if (endless === null) return { ...shown(paged, candidate), endRule }
    return cannot(endless, [{ ...candidate, confidence: 'possible' }])
  }
  // A small page may hold the token that a page with everything had not.
  if (found !== null && found.size !== null) {
    const small = search.probed.findLast(({ page }) => page !== null && page.keys.length < first.keys.length)?.page
    const sent: Put[] = [{ slot: found.size, value: small?.keys.length ?? 1 }]
    const later = small ? await byPointer(session, small, sent) : null
    if (later !== null) return shown(session, later)
    return cannot(`The page size can be set, but nothing that was tried requests the next page.`)
  }
  return withoutEffect(session, search.ignored, cannot)
}

/** Nothing that was tried has an effect: there is only one page, or the names are unusual. */
function withoutEffect(
  session: DetectionSession,
  ignored: readonly string[],
  cannot: (says: string) => Explanation,
): Explanation {
  const { first, layout } = session
  const count = first.keys.length
  const tried = ignored.length === 0 ? 'nothing that was tried' : `none of the ${ignored.length} names that were tried`
  const more = moreClaimed(first, layout)
  if (more !== null) return cannot(`There is more, as ${more}, but ${tried} moved the records. ${whatHelps}`)
  const hint = hintsAtMore(first, layout)
  if (hint !== null)
    return cannot(`No usual name has an effect, but ${hint} suggests a position in a longer list. ${whatHelps}`)
  if (ignored.length === 0)
    return cannot('Nothing that was tried explains how pages follow each other, and not everything could be tried.')
  const end = endClaimed(first, layout)
  if (end === null && usualSizes.has(count))
    return cannot(
      `Exactly ${number(count)} records came, as many as a page often has; nothing claims more, and ${tried} moved them. ${whatHelps}`,
    )
  const claims = end === null ? 'the response claims no more' : end
  return {
    answer: 'not-paginated',
    says: `${end === null ? 'Most likely not' : 'Not'} paginated: ${ignored.length} usual names of paging parameters have no effect, and ${claims}.`,
    candidates: [unpaginatedCandidate(count, ignored, end)],
    records: first.records,
    endRule: null,
    expected: session,
  }
}

const whatHelps = 'Give the URL of a second page, or one with the parameter, such as ?name=2.'

/** Usual default page sizes. */
const usualSizes = new Set([5, 10, 12, 15, 20, 24, 25, 30, 40, 50, 60, 100, 200, 500, 1_000])

function shown(session: DetectionSession, candidate: Candidate): Explanation {
  return {
    answer: 'paginated',
    says: `${candidate.says}.`,
    candidates: [candidate],
    records: session.first.records,
    endRule: null,
    expected: session,
  }
}

/** What the first page names, but nothing shows. */
function namedOnly({ first: { response }, layout }: DetectionSession): Candidate[] {
  return pointersIn(response.body, response.headers, layout.path, response.url).slice(0, mostPointers).map(possible)
}

const mostPointers = 2

/** `from`: a page that holds pointers; `sent`: what was sent for it. */
async function byPointer(session: DetectionSession, from: ProbedPage, sent: readonly Put[]): Promise<Candidate | null> {
  const { response } = from
  for (const object of tokenObjectsIn(response.body, from.path).slice(0, 1)) {
    const found = await byTokens(session, object, from, sent)
    if (found !== null) return found
  }
  const pointers = pointersIn(response.body, response.headers, session.layout.path, response.url).filter(
    ({ value }) => value !== null,
  )
  for (const pointer of pointers.slice(0, mostPointers)) {
    const found =
      pointer.kind === 'token'
        ? await byTokenOf(session, pointer, from, sent)
        : await byUrl(session, pointer, from, sent)
    if (found !== null) return found
  }
  return null
}

async function byUrl(
  session: DetectionSession,
  pointer: Pointer,
  from: ProbedPage,
  sent: readonly Put[],
): Promise<Candidate | null> {
  const led = await followUrl(session, pointer, from)
  if (led === null) return null
  const { likely, firstOnly } = led
  const leadsOn = (page: ProbedPage) => namesNext(session, pointer, page)
  const sizing = await findSize(session, { known: sent[0]?.slot ?? null, likely, nextTo: null, leadsOn })
  const evidence = ['The address leads to records that were not on the page before.', ...sizing.evidence]
  return onFirstOnly(followed(pointer, sizing, evidence), firstOnly)
}

function onFirstOnly(candidate: Candidate, names: readonly string[]): Candidate {
  if (names.length === 0) return candidate
  const said = `only the first request has ${names.join(', ')}: a later one with it is refused`
  return { ...candidate, evidence: [...candidate.evidence, said], firstOnly: names }
}

async function byTokenOf(
  session: DetectionSession,
  pointer: Pointer,
  from: ProbedPage,
  sent: readonly Put[],
): Promise<Candidate | null> {
  const { value } = pointer
  if (value === null) return null
  const taken = await findCursorSlot(session, { ...pointer, value }, from, sent)
  if (taken === null) return null
  const { slot, firstOnly } = taken
  const leadsOn = (page: ProbedPage) => namesNext(session, pointer, page)
  const sizing = await findSize(session, { known: sent[0]?.slot ?? null, likely: [], nextTo: slot, leadsOn })
  const evidence = ['The token returns records that were not on the page before.', ...sizing.evidence]
  const ending = { flag: moreFlagOf(session), staysAtEnd: staysAtEnd(session, pointer, sizing) }
  return onFirstOnly(byToken(pointer, slot, sizing, ending, evidence), firstOnly)
}

/** Only in the query: there one template can give all parameters, whatever they are called on later pages. */
async function byTokens(
  session: DetectionSession,
  object: TokenObject,
  from: ProbedPage,
  sent: readonly Put[],
): Promise<Candidate | null> {
  if (session.question.json !== undefined || session.question.form !== null) return null
  const puts = putsOf(object)
  const others = sent.filter(({ slot }) => !puts.some((put) => isSameSlot(put.slot, slot)))
  const why = `Do all members of ${object.path.join('.')} lead to the next page?`
  const probed = await sendProbe(session, why, [...others, ...puts])
  if (!probed?.page || !isNew(probed.page.keys, from.keys)) return null
  const leadsOn = ({ response, path }: ProbedPage) =>
    tokenObjectsIn(response.body, path).some((one) => isSamePath(one.path, object.path))
  const sizing = await findSize(session, { known: sent[0]?.slot ?? null, likely: [], nextTo: null, leadsOn })
  const isOwn = puts.some(({ slot }) => sizing.slot !== null && isSameSlot(slot, sizing.slot))
  const evidence = ['Together they return records that were not on the page before.', ...sizing.evidence]
  return byObject(object, isOwn ? defaultSizing(session.first) : sizing, evidence)
}

/** A token that is on the last page too would be followed forever. */
function staysAtEnd(session: DetectionSession, pointer: Pointer, { largest }: Sizing): boolean {
  const page = largest?.page ?? null
  if (page === null || namedTotals(page, session.layout)[0] !== page.keys.length) return false
  return namesNext(session, pointer, page)
}

/** Whether a page has a value at the same place. */
function namesNext({ layout }: DetectionSession, pointer: Pointer, { response }: ProbedPage): boolean {
  const again = pointersIn(response.body, response.headers, layout.path, response.url)
  return again.some((one) => one.value !== null && isSamePointer(one, pointer))
}

/** Unchanged where pages look like the first response; null where their first page cannot be requested. */
async function pagedSession(
  session: DetectionSession,
  mover: Mover,
  tried: readonly Tried[],
): Promise<DetectionSession | null> {
  const other = tried.findLast((one) => isUnlike(one, session, mover))?.probed.page
  if (!other) return session
  if (mover.kind === 'after') return null
  const first: Put = { slot: mover.slot, value: mover.kind === 'page' ? mover.base : mover.kind === 'position' ? 1 : 0 }
  const needed = [...session.needed.filter(({ slot }) => !isSameSlot(slot, mover.slot)), first]
  const inShape: DetectionSession = { ...session, layout: { ...session.layout, path: other.path }, needed }
  const page = (await sendProbe(inShape, 'What is its first page, once it is paged?', []))?.page
  if (!page || !isSamePath(page.path, other.path)) return null
  const isFirst = page.keys.length > 0 && page.keys[0] === session.first.keys[0]
  return isFirst ? { ...inShape, first: page } : null
}

/** Its records are elsewhere, or fewer and all known: the first response was not a page. */
function isUnlike({ puts, probed: { page } }: Tried, { first, layout }: DetectionSession, mover: Mover): boolean {
  if (page === null || page.keys.length === 0 || !puts.some(({ slot }) => isSameSlot(slot, mover.slot))) return false
  if (!isSamePath(page.path, layout.path)) return true
  return !puts.some(({ slot }) => isSlotOf('size', slot)) && isWithin(page, first)
}

function isWithin(page: ProbedPage, first: ProbedPage): boolean {
  const last = page.keys.at(-1)
  const at = last === undefined ? -1 : first.keys.indexOf(last)
  return page.keys.length < first.keys.length && at >= 0 && at < first.keys.length - 1
}

/** `likely`: parameters of the address that ask for as many records as the page has. */
type Led = { readonly likely: readonly Slot[]; readonly firstOnly: readonly string[] }

/** Null where it does not lead on. */
async function followUrl(session: DetectionSession, pointer: Pointer, from: ProbedPage): Promise<Led | null> {
  const { question, needed } = session
  const url = String(pointer.value)
  const names = [...new URL(url).searchParams]
  const isForeign = !sameOrigin(question.address, url)
  const ask = (why: string, one: typeof question) => probeRequest(session, why, requestTo(url, one, isForeign, needed))
  let firstOnly: readonly string[] = []
  let probed = await ask(`Does the address at ${pointer.path.join('.')} lead to the next page?`, question)
  const added = fixedNames(question).filter((name) => !names.some(([known]) => known === name))
  if (probed !== null && probed.page === null && isRefused(probed.response) && added.length > 0 && !isForeign) {
    firstOnly = added
    probed = await ask(`Does it, without ${added.join(', ')}?`, withoutQuery(question, added))
  }
  if (!probed?.page || !isNew(probed.page.keys, from.keys)) return null
  const isSize = ([name, value]: readonly [string, string]) =>
    isNameOf('size', name) && value === String(from.keys.length)
  return { likely: names.filter(isSize).map(([name]) => inQuery(name)), firstOnly }
}
