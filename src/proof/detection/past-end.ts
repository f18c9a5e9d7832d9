/** What lies past the last page: nothing, a refusal, or the last page once more. */
import type { Answer } from './asking.ts'
import { areEqual, isNew } from './pages.ts'
import type { Mover } from './guesses.ts'
import type { Sizing } from './find-size.ts'
import type { Put } from './question.ts'
import { probe, type Walk } from './walk.ts'

export type PastEnd =
  | { readonly kind: 'unknown' | 'empty' }
  /** The first page again: a last page that is full would be followed by it. */
  | { readonly kind: 'first' }
  | { readonly kind: 'refused'; readonly answer: Answer }
  /** The last page again, as often as it is asked for. */
  | { readonly kind: 'repeated'; readonly isFull: boolean }

/** Beyond what small APIs hold, and within what most let one skip. */
const far = 9_000

export async function findPastEnd(walk: Walk, mover: Mover, sizing: Sizing, total: number | null): Promise<PastEnd> {
  if (mover.kind === 'after' || walk.asking.left() === 0) return { kind: 'unknown' }
  const size = Math.max(1, sizing.pageSize)
  const end = total ?? far
  const value = mover.kind === 'page' ? Math.ceil(end / size) + mover.base : mover.kind === 'position' ? end + 1 : end
  const puts: Put[] = [
    { slot: mover.slot, value },
    ...(sizing.slot === null ? [] : [{ slot: sizing.slot, value: size }]),
  ]
  const probed = await probe(walk, 'What lies past the end?', puts)
  if (probed === null) return { kind: 'unknown' }
  const { answer, page } = probed
  if (page === null)
    return answer.status !== null && [400, 404, 410, 416, 422].includes(answer.status)
      ? { kind: 'refused', answer }
      : { kind: 'unknown' }
  if (page.keys.length === 0) return { kind: 'empty' }
  const isFirst = page.keys[0] === walk.first.keys[0] && (total === null || total > Math.max(size, page.keys.length))
  if (isFirst) return { kind: 'first' }
  // With a known total nothing can be there; without, it may be a page far away.
  const isLastAgain = total !== null || !isNew(page.keys, walk.first.keys) || page.keys.length < size
  if (isLastAgain) return { kind: 'repeated', isFull: page.keys.length >= size }
  const behind = puts.map((put) => (put.slot === mover.slot ? { ...put, value: value + stepOf(mover, size) } : put))
  const again = await probe(walk, 'Is there another page behind it?', behind)
  return again?.page && areEqual(again.page.keys, page.keys) ? { kind: 'repeated', isFull: true } : { kind: 'unknown' }
}

function stepOf({ kind }: Mover, size: number): number {
  return kind === 'offset' ? size : 1
}
