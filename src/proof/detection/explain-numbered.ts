/** A parameter that counts → a candidate: with the size of its pages, and what comes after the last of them. */
import { byNumber, byPageCount } from './numbered-candidate.ts'
import type { Numbered } from './confirm.ts'
import type { Candidate } from './detection.ts'
import { type EndRule, refusedEnd } from './end-rule.ts'
import { findSize, type Sizing, sizeOf } from './find-size.ts'
import type { Mover } from './guesses.ts'
import { findPageCount } from './page-count.ts'
import { findPastEnd, type PastEnd } from './past-end.ts'
import { flagOf, type Probed, reserving, totalsOf, type Walk } from './walk.ts'

type NumberedCandidate = {
  readonly candidate: Candidate
  readonly endRule: EndRule | null
  /** Why a read would not end; null where it does. */
  readonly endless: string | null
}

export async function explainNumbered(
  walk: Walk,
  { mover, size, evidence }: Numbered & { readonly mover: Mover },
  probed: readonly Probed[],
): Promise<NumberedCandidate> {
  const [total = null] = totalsOf(walk.first, walk.reading)
  const seen = refusedIn(probed)
  // One request is kept for what lies past the end.
  const rest = seen === null && mover.kind !== 'after' ? reserving(walk, 1) : walk
  const beside = mover.slot.into === 'path' ? null : mover.slot
  const found =
    mover.slot.after === undefined ? await findSize(rest, { known: size, likely: [], beside }) : sizeOf(walk.first)
  let sizing: Sizing = { ...found, slot: found.slot ?? size }
  let end = seen ?? (await findPastEnd(walk, mover, sizing, total))
  if (end.kind === 'repeated' && end.isFull && sizing.slot !== null && sizing.pageSize > 2) {
    const smaller = { ...sizing, pageSize: sizing.pageSize - 1 }
    const again = await findPastEnd(walk, mover, smaller, total)
    if (again.kind === 'repeated' && !again.isFull) [sizing, end] = [smaller, again]
  }
  const flag = flagOf(walk)
  const refused = end.kind === 'refused' ? refusedEnd(end.answer) : null
  const says = [...evidence, ...sizing.evidence, ...(refused === null ? sayEnd(end) : [refused.says])]
  const endless = endlessBy(end, sizing, total)
  const counted = endless === null || mover.slot.into === 'path' ? null : await findPageCount(walk, mover, sizing)
  if (counted !== null) return { candidate: byPageCount(mover, sizing, counted, says), endRule: null, endless: null }
  const facts = { needsFirst: walk.needed.length > 0, flag, id: walk.reading.id, evidence: says }
  const candidate = byNumber(mover, sizing, facts)
  return {
    candidate: end.kind === 'first' && total === null ? { ...candidate, confidence: 'likely' } : candidate,
    endRule: refused?.rule ?? null,
    endless,
  }
}

function endlessBy(end: PastEnd, { pageSize }: Sizing, total: number | null): string | null {
  if (end.kind === 'repeated' && end.isFull)
    return 'The last page is full and comes again past the end, so a read that counts pages would not end.'
  if (end.kind === 'first' && total !== null && total % pageSize === 0)
    return 'The last page is full, and past the end the first one comes again, so a read that counts pages would not end.'
  return null
}

/** A request for a page that was not there has shown it already. */
function refusedIn(probed: readonly Probed[]): PastEnd | null {
  const found = probed.find(({ answer, page }) => page === null && (answer.status === 404 || answer.status === 416))
  return found === undefined ? null : { kind: 'refused', answer: found.answer }
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
        'past the end the first page comes again: a read whose last page is full fails there with pagination/loop',
      ]
    case 'repeated':
      return ['past the end the last page comes again']
  }
}
