/** What may number the pages, and one request that tries much of it: each name with a value of its own. */
import { type Guess, type Known, type Mover } from './guesses.ts'
import { isNameOf, rankOf } from './paging-names.ts'
import { goTogether, type Put, type Slot, slotKey, type Value } from './question.ts'
import { slotsFor, unique } from './slots.ts'
import type { Walk } from './walk.ts'

export type Tries = {
  readonly movers: readonly Mover[]
  readonly sizes: readonly Slot[]
}

export function triesFor(walk: Walk): Tries {
  const kinds = walk.reading.id === null ? (['page', 'offset'] as const) : (['page', 'offset', 'after'] as const)
  const slots = unique(interleaved(kinds.map((kind) => slotsFor(kind, walk))))
  return { movers: slots.flatMap((slot) => moversAt(walk, slot)), sizes: slotsFor('size', walk) }
}

/** The first of each, then the second of each. */
function interleaved(lists: readonly (readonly Slot[])[]): Slot[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat()
}

/** What a parameter of this name may count. */
export function moversAt({ reading }: Walk, slot: Slot): Mover[] {
  const name = slot.path.at(-1) ?? ''
  const found: Mover[] = []
  if (isNameOf('page', name)) found.push({ kind: 'page', slot, base: 1 }, { kind: 'page', slot, base: 0 })
  if (isNameOf('offset', name)) found.push({ kind: 'offset', slot, base: 1 })
  if (isNameOf('after', name) && reading.id !== null) found.push({ kind: 'after', slot, base: 1 })
  return found
}

const mostSizes = 14
const mostMovers = 32

/** Every name at once: what comes tells by how much, and so by which of them. */
export function mixed({ movers, sizes }: Tries, { keys, ids }: Known): Put[] {
  const most = keys.length - 1
  const puts: Put[] = []
  const add = (slot: Slot, value: Value) => {
    const isFree = puts.every((put) => goTogether(put.slot, slot) && slotKey(put.slot) !== slotKey(slot))
    if (isFree) puts.push({ slot, value })
    return isFree
  }
  const cycle = (index: number, from: number, to: number) => from + (index % Math.max(1, to - from + 1))
  let sizeCount = 0
  for (const slot of sizes) {
    if (sizeCount < mostSizes && add(slot, cycle(sizeCount, most >= 4 ? 2 : 1, Math.min(most, 9)))) sizeCount++
  }
  const counts = { page: 0, offset: 0, after: 0 }
  for (const { kind, slot } of movers) {
    if (counts.page + counts.offset + counts.after >= mostMovers) break
    const index = counts[kind]
    const value =
      kind === 'page'
        ? cycle(index, 2, 4)
        : kind === 'offset'
          ? cycle(index, 1, most)
          : (ids[most - 1 - (index % most)] ?? null)
    if (value !== null && add(slot, value)) counts[kind]++
  }
  return puts
}

/** Everything that could have an effect in a request that was sent. */
export function guessesFor({ movers, sizes }: Tries, puts: readonly Put[]): Guess[] {
  const sent = new Set(puts.map(({ slot }) => slotKey(slot)))
  const moving: (Mover | null)[] = [null, ...movers.filter(({ slot }) => sent.has(slotKey(slot)))]
  const sizing: (Slot | null)[] = [null, ...sizes.filter((slot) => sent.has(slotKey(slot)))]
  return moving
    .flatMap((mover) => sizing.map((size): Guess => ({ mover, size })))
    .filter(({ mover, size }) => mover !== null || size !== null)
    .toSorted((one, other) => weight(one) - weight(other))
}

/** The smaller the likelier: usual names, and both parameters rather than one. */
function weight({ mover, size }: Guess): number {
  const header = (slot: Slot) => (slot.into === 'header' ? 6 : 0)
  const nameOf = (slot: Slot) => slot.path.at(-1) ?? ''
  const moving =
    mover === null
      ? 60
      : rankOf(mover.kind, nameOf(mover.slot)) * 2 + header(mover.slot) + (mover.kind === 'after' ? 1 : 0)
  return moving + (size === null ? 15 : rankOf('size', nameOf(size)) + header(size))
}

export function without({ movers, sizes }: Tries, gone: readonly Slot[]): Tries {
  const keys = new Set(gone.map(slotKey))
  return {
    movers: movers.filter(({ slot }) => !keys.has(slotKey(slot))),
    sizes: sizes.filter((slot) => !keys.has(slotKey(slot))),
  }
}
