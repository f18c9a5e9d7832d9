/** The first page and a few probes → what explains them, and how sure that is. */
import type { Members } from '../../std/values/objects.ts'
import { number } from '../../std/text/format-count.ts'
import { byObject, byToken, followed, notPaginated, possible } from './candidates.ts'
import type { Candidate, Detection } from './detection.ts'
import { findCursorSlot } from './find-cursor.ts'
import type { EndRule } from './end-rule.ts'
import { explainNumbered } from './explain-numbered.ts'
import { findGiven } from './find-given.ts'
import { findNumbered } from './find-numbered.ts'
import { findSize, type Sizing, sizeOf } from './find-size.ts'
import { followUrl } from './follow-url.ts'
import { areDistinct, isNew, type Shown } from './pages.ts'
import { pagedWalk } from './paged-walk.ts'
import { isSamePointer, type Pointer, pointersIn } from './pointers.ts'
import { isSameSlot, type Put } from './question.ts'
import { putsOf, type TokenObject, tokenObjectsIn } from './token-objects.ts'
import { endClaimed, moreClaimed } from './page-claims.ts'
import type { Expected } from './reread.ts'
import { flagOf, hintsAtMore, probe, totalsOf, type Walk } from './walk.ts'

export type Explanation = Pick<Detection, 'answer' | 'says' | 'candidates'> & {
  readonly records: readonly Members[]
  readonly endRule: EndRule | null
  readonly expected: Expected
}

export async function explain(walk: Walk): Promise<Explanation> {
  const { first } = walk
  const cannot = (says: string, candidates: readonly Candidate[] = namedOnly(walk)): Explanation => ({
    answer: 'cannot-tell',
    says,
    candidates,
    records: first.records,
    endRule: null,
    expected: walk,
  })
  if (first.keys.length === 0) return cannot('The list is empty, so no page can be told from another.')
  if (!areDistinct(first.keys))
    return cannot('Records on the first page are alike, so no page can be told from another.')

  const pointed = await byPointer(walk, first, [])
  if (pointed !== null) return shown(walk, pointed)

  const given = await findGiven(walk)
  if (given !== null) {
    const { candidate, endRule, endless } = await explainNumbered(given.walk, given.found, [])
    if (endless === null) return { ...shown(given.walk, candidate), endRule }
  }

  const search = await findNumbered(walk)
  const { found } = search
  if (found !== null && found.mover !== null) {
    const paged = await pagedWalk(walk, found.mover, search.tried)
    if (paged === null) return cannot('The answer has another shape once a page is asked for, and no first page in it.')
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
    const later = small ? await byPointer(walk, small, sent) : null
    if (later !== null) return shown(walk, later)
    return cannot(`The size of a page can be asked for, but nothing that was tried asks for the next one.`)
  }
  return withoutEffect(walk, search.ignored, cannot)
}

/** Nothing that was tried turns a page: either there is one only, or its names are others. */
function withoutEffect(walk: Walk, ignored: readonly string[], cannot: (says: string) => Explanation): Explanation {
  const { first, reading } = walk
  const count = first.keys.length
  const tried = ignored.length === 0 ? 'nothing that was tried' : `none of the ${ignored.length} names that were tried`
  const more = moreClaimed(first, reading)
  if (more !== null) return cannot(`There is more, as ${more}, but ${tried} moved the records. ${whatHelps}`)
  const hint = hintsAtMore(first, reading)
  if (hint !== null)
    return cannot(`No usual name has an effect, but ${hint} speaks of a place in something longer. ${whatHelps}`)
  if (ignored.length === 0)
    return cannot('Nothing that was tried explains how pages follow each other, and not everything could be tried.')
  const end = endClaimed(first, reading)
  if (end === null && usualSizes.has(count))
    return cannot(
      `Exactly ${number(count)} records came, as many as a page often has; nothing claims more, and ${tried} moved them. ${whatHelps}`,
    )
  const claims = end === null ? 'the answer claims no more' : end
  return {
    answer: 'not-paginated',
    says: `${end === null ? 'Most likely not' : 'Not'} paginated: ${ignored.length} usual names of paging parameters have no effect, and ${claims}.`,
    candidates: [notPaginated(count, ignored, end)],
    records: first.records,
    endRule: null,
    expected: walk,
  }
}

const whatHelps = 'Give the address of a second page, or one that carries the parameter, such as ?name=2.'

/** So many records an API gives that was not asked for a number. */
const usualSizes = new Set([5, 10, 12, 15, 20, 24, 25, 30, 40, 50, 60, 100, 200, 500, 1_000])

function shown(walk: Walk, candidate: Candidate): Explanation {
  return {
    answer: 'paginated',
    says: `${candidate.says}.`,
    candidates: [candidate],
    records: walk.first.records,
    endRule: null,
    expected: walk,
  }
}

/** What the first page names, but nothing shows. */
function namedOnly({ first: { answer }, reading }: Walk): Candidate[] {
  return pointersIn(answer.body, answer.headers, reading.path, answer.url).slice(0, mostPointers).map(possible)
}

const mostPointers = 2

/** `from`: a page that holds pointers; `sent`: what was sent for it. */
async function byPointer(walk: Walk, from: Shown, sent: readonly Put[]): Promise<Candidate | null> {
  const { answer } = from
  for (const object of tokenObjectsIn(answer.body, from.path).slice(0, 1)) {
    const found = await byTokens(walk, object, from, sent)
    if (found !== null) return found
  }
  const pointers = pointersIn(answer.body, answer.headers, walk.reading.path, answer.url).filter(
    ({ value }) => value !== null,
  )
  for (const pointer of pointers.slice(0, mostPointers)) {
    const found =
      pointer.kind === 'token' ? await byTokenOf(walk, pointer, from, sent) : await byUrl(walk, pointer, from, sent)
    if (found !== null) return found
  }
  return null
}

async function byUrl(walk: Walk, pointer: Pointer, from: Shown, sent: readonly Put[]): Promise<Candidate | null> {
  const likely = await followUrl(walk, pointer, from)
  if (likely === null) return null
  const sizing = await findSize(walk, { known: sent[0]?.slot ?? null, likely, beside: null })
  const evidence = ['The address leads to records that were not on the page before.', ...sizing.evidence]
  return followed(pointer, sizing, evidence)
}

async function byTokenOf(walk: Walk, pointer: Pointer, from: Shown, sent: readonly Put[]): Promise<Candidate | null> {
  const { value } = pointer
  if (value === null) return null
  const slot = await findCursorSlot(walk, { ...pointer, value }, from, sent)
  if (slot === null) return null
  const sizing = await findSize(walk, { known: sent[0]?.slot ?? null, likely: [], beside: slot })
  const evidence = ['With the token come records that were not on the page before.', ...sizing.evidence]
  const ending = { flag: flagOf(walk), staysAtEnd: staysAtEnd(walk, pointer, sizing) }
  return byToken(pointer, slot, sizing, ending, evidence)
}

/** Only in the query: there one template can give all parameters, whatever they are called on later pages. */
async function byTokens(walk: Walk, object: TokenObject, from: Shown, sent: readonly Put[]): Promise<Candidate | null> {
  if (walk.question.json !== undefined || walk.question.form !== null) return null
  const puts = putsOf(object)
  const others = sent.filter(({ slot }) => !puts.some((put) => isSameSlot(put.slot, slot)))
  const why = `Do all members of ${object.path.join('.')} lead to the next page?`
  const probed = await probe(walk, why, [...others, ...puts])
  if (!probed?.page || !isNew(probed.page.keys, from.keys)) return null
  const sizing = await findSize(walk, { known: sent[0]?.slot ?? null, likely: [], beside: null })
  const isOwn = puts.some(({ slot }) => sizing.slot !== null && isSameSlot(slot, sizing.slot))
  const evidence = ['With all of them come records that were not on the page before.', ...sizing.evidence]
  return byObject(object, isOwn ? sizeOf(walk.first) : sizing, evidence)
}

/** A token that is there on the last page as well would be followed for ever. */
function staysAtEnd({ reading }: Walk, pointer: Pointer, { largest }: Sizing): boolean {
  const page = largest?.page ?? null
  if (page === null || totalsOf(page, reading)[0] !== page.keys.length) return false
  const again = pointersIn(page.answer.body, page.answer.headers, reading.path, page.answer.url)
  return again.some((one) => one.value !== null && isSamePointer(one, pointer))
}
