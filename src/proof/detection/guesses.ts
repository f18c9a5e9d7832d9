/** Guesses of how an API numbers its pages, and what each predicts for a request: a different response rules it out. */
import type { ProbedPage } from './probed-pages.ts'
import { type Put, type Slot, type SlotValue, isSameSlot } from './probe-request.ts'

/** What moves from page to page. */
export type Mover = {
  /** `position`: the number of the first record, where the first of all is 1. */
  readonly kind: 'page' | 'offset' | 'position' | 'after'
  readonly slot: Slot
  /** The number of the first page. */
  readonly base: 0 | 1
}

/** Null where a request has no such parameter, or the API does not care for it. */
export type Guess = { readonly mover: Mover | null; readonly size: Slot | null }

/** The records of the first page by their keys, in order and at hand, and the values that `after` would take. */
export type KnownRecords = {
  readonly keys: readonly string[]
  readonly all: ReadonlySet<string>
  readonly ids: readonly (SlotValue | null)[]
}

/** `strong`: known records came where they should, or only new ones. `weak`: nothing speaks against it. */
export type GuessFit = 'strong' | 'weak' | 'none'

export function guessFit(guess: Guess, puts: readonly Put[], known: KnownRecords, page: ProbedPage | null): GuessFit {
  const fit = fitWith(guess, puts, known, page, known.keys.length)
  if (fit !== 'none' || guess.mover === null || page === null || sizeAsked(guess, puts) !== null) return fit
  // Some APIs return everything until a page is requested, then pages of a default size: all of them known records.
  const got = page.keys
  const isKnown = got.length > 0 && got.length < known.keys.length && got.every((key) => known.all.has(key))
  return isKnown ? fitWith(guess, puts, known, page, got.length) : fit
}

/** `own`: the default page size. */
function fitWith(
  guess: Guess,
  puts: readonly Put[],
  { keys, all, ids }: KnownRecords,
  page: ProbedPage | null,
  own: number,
): GuessFit {
  const asked = sizeAsked(guess, puts)
  const size = asked ?? own
  const start = startOf(guess.mover, puts, size, ids)
  if (start === null) return 'none'
  const isBeyond = start >= keys.length
  // Past the end some return nothing, some refuse.
  if (page === null || page.keys.length === 0) return isBeyond ? 'weak' : 'none'
  const got = page.keys
  if (got.length > size) return 'none'
  if (got.length < size && start + got.length < keys.length) return 'none'
  const isRight = got.every((key, index) => {
    const position = start + index
    return position < keys.length ? key === keys[position] : !all.has(key)
  })
  if (!isRight) return 'none'
  const hasMoved = start > 0
  const isCut = asked !== null && got.length === asked && asked < keys.length
  return (guess.mover === null || hasMoved) && (guess.size === null || isCut) ? 'strong' : 'weak'
}

function sizeAsked({ size }: Guess, puts: readonly Put[]): number | null {
  const put = size === null ? undefined : puts.find(({ slot }) => isSameSlot(slot, size))
  return put === undefined ? null : Number(put.value)
}

function startOf(mover: Mover | null, puts: readonly Put[], size: number, ids: KnownRecords['ids']): number | null {
  const value = mover === null ? undefined : puts.find(({ slot }) => isSameSlot(slot, mover.slot))?.value
  if (mover === null || value === undefined) return 0
  switch (mover.kind) {
    case 'offset':
      return Number(value)
    case 'position':
      return Math.max(0, Number(value) - 1)
    case 'page':
      // Page 0 of an API that counts from 1 may be anything.
      return Math.max(0, (Number(value) - mover.base) * size)
    case 'after': {
      const at = ids.findIndex((id) => id !== null && String(id) === String(value))
      return at < 0 ? null : at + 1
    }
  }
}
