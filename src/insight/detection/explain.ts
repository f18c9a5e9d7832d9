/** The first page and a few probes → what explains them, and how sure that is. */
import type { Members } from '../../members.ts'
import { byNumber, byToken, type Flag, followed, notPaginated } from './candidates.ts'
import type { Candidate, Detection } from './detection.ts'
import { findCursorSlot } from './find-cursor.ts'
import { findNumbered } from './find-numbered.ts'
import { findSize, type Sizing } from './find-size.ts'
import { followUrl } from './follow-url.ts'
import { areDistinct, type Shown } from './pages.ts'
import { findPastEnd } from './past-end.ts'
import { type Pointer, pointersIn } from './pointers.ts'
import type { Put } from './question.ts'
import { claimsOf, saysMore, totalsOf, type Walk } from './walk.ts'

export type Explanation = Pick<Detection, 'answer' | 'says' | 'candidates'> & {
  readonly records: readonly Members[]
  readonly endStatus: number | null
}

export async function explain(walk: Walk): Promise<Explanation> {
  const { first } = walk
  const cannot = (says: string, candidates: readonly Candidate[] = []): Explanation => ({
    answer: 'cannot-tell',
    says,
    candidates,
    records: first.records,
    endStatus: null,
  })
  if (first.keys.length === 0) return cannot('The list is empty, so no page can be told from another.')
  if (!areDistinct(first.keys))
    return cannot('Records on the first page are alike, so no page can be told from another.')

  const pointed = await byPointer(walk, first, [])
  if (pointed !== null) return shown(walk, pointed)

  const search = await findNumbered(walk)
  const { found } = search
  if (found !== null && found.mover !== null) {
    const sizing = await findSize(walk, { known: found.size, likely: [], beside: found.mover.slot })
    const [total = null] = totalsOf(first, walk.reading)
    const end = await findPastEnd(walk, found.mover, sizing, total)
    const evidence = [
      ...found.evidence,
      ...sizing.evidence,
      ...(end.kind === 'unknown' ? [] : [`Past the end: ${end.kind}`]),
    ]
    const candidate = byNumber(found.mover, sizing, walk.needed.length > 0, flagOf(walk), walk.reading.id, evidence)
    return { ...shown(walk, candidate), endStatus: end.kind === 'refused' ? end.status : null }
  }
  // A small page may hold the token that a page with everything had not.
  if (found !== null && found.size !== null) {
    const small = search.probed.findLast(({ page }) => page !== null && page.keys.length < first.keys.length)?.page
    const sent: Put[] = [{ slot: found.size, value: small?.keys.length ?? 1 }]
    const later = small ? await byPointer(walk, small, sent) : null
    if (later !== null) return shown(walk, later)
    return cannot(`The size of a page can be asked for, but nothing that was tried asks for the next one.`)
  }
  if (saysMore(first, walk.reading))
    return cannot('The API says that there is more, and nothing that was tried brings it.')
  if (search.hadEffect)
    return cannot('Something that was tried has an effect, but none that explains how pages follow each other.')
  if (search.ignored.length === 0) return cannot('There are too few records to tell pages by.')
  return {
    answer: 'not-paginated',
    says: `Not paginated: ${search.ignored.length} usual names of paging parameters have no effect, and the answer claims no more.`,
    candidates: [notPaginated(first.keys.length, search.ignored)],
    records: first.records,
    endStatus: null,
  }
}

function shown({ first }: Walk, candidate: Candidate): Explanation {
  return {
    answer: 'paginated',
    says: `${candidate.says}.`,
    candidates: [candidate],
    records: first.records,
    endStatus: null,
  }
}

const mostPointers = 2

/** `from`: a page that holds pointers; `sent`: what was sent for it. */
async function byPointer(walk: Walk, from: Shown, sent: readonly Put[]): Promise<Candidate | null> {
  const { answer } = from
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
  const link = await followUrl(walk, pointer, from)
  if (link === null) return null
  const sizing = await findSize(walk, { known: sent[0]?.slot ?? null, likely: link.sizes, beside: null })
  const evidence = ['The address leads to records that were not on the page before.', ...sizing.evidence]
  return followed(pointer, sizing, evidence)
}

async function byTokenOf(walk: Walk, pointer: Pointer, from: Shown, sent: readonly Put[]): Promise<Candidate | null> {
  const { value } = pointer
  if (value === null) return null
  const found = await findCursorSlot(walk, { ...pointer, value }, from, sent)
  if (found === null) return null
  const sizing = await findSize(walk, { known: sent[0]?.slot ?? null, likely: [], beside: found.slot })
  const evidence = ['With the token come records that were not on the page before.', ...sizing.evidence]
  const ending = { flag: flagOf(walk), staysAtEnd: staysAtEnd(walk, pointer, sizing) }
  return byToken(pointer, found.slot, sizing, ending, evidence)
}

/** A token that is there on the last page as well would be followed for ever. */
function staysAtEnd({ reading }: Walk, pointer: Pointer, { largest, slot, pageSize, cap }: Sizing): boolean {
  if (!largest?.page || slot === null || cap === null || pageSize === 0) return false
  const { answer } = largest
  const again = pointersIn(answer.body, answer.headers, reading.path, answer.url)
  return (
    again.some(
      ({ path, value, from }) => from === pointer.from && value !== null && path.join() === pointer.path.join(),
    ) && false
  )
}

function flagOf({ first, reading }: Walk): Flag | null {
  const flag = claimsOf(first, reading).nexts.find(
    ({ kind, place, says }) => kind === 'flag' && place[0] === 'body' && says === 'more',
  )
  if (flag === undefined) return null
  const [, ...path] = flag.place
  return { path, meansMore: valueAt(first, path) === true || valueAt(first, path) === 'true' }
}

function valueAt({ answer }: Shown, path: readonly string[]): unknown {
  return path.reduce((value: unknown, name) => (value as Members | undefined)?.[name], answer.body)
}
