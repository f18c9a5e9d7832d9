/** A number of the request as it was given → whether it turns the pages, shown by where known records come. */
import type { Numbered } from './confirm.ts'
import { givenNumbers, type GivenNumber, givenSizes } from './given-numbers.ts'
import type { Mover } from './guesses.ts'
import { areEqual, isNew, type Shown } from './pages.ts'
import { isSameSlot, type Put, type Slot, slotName } from './question.ts'
import { slotsFor } from './slots.ts'
import { probe, type Walk } from './walk.ts'

type FoundGiven = {
  /** From its first page on: the one that was given may be another. */
  readonly walk: Walk
  readonly found: Numbered & { readonly mover: Mover }
}

const mostTried = 3

export async function findGiven(walk: Walk): Promise<FoundGiven | null> {
  for (const given of givenNumbers(walk.question).slice(0, mostTried)) {
    // A number that turns out to choose other things brings records that are none of this list.
    const found = walk.first.keys.length < 2 ? null : await tryGiven({ ...walk, seen: [] }, given)
    if (found !== null) return fromTheFirst(walk, given, found)
  }
  return null
}

async function tryGiven(walk: Walk, { slot, value }: GivenNumber): Promise<FoundGiven['found'] | null> {
  const { first } = walk
  const next = await pageAt(walk, slot, value + 1)
  if (next !== null && next.keys.length > 0) return compared(walk, { slot, value }, next)
  // The last page was given: the one before it tells as much.
  const before = value > 1 ? await pageAt(walk, slot, value - 1) : null
  return before === null ? null : compared({ ...walk, first: before }, { slot, value: value - 1 }, first)
}

async function pageAt(walk: Walk, slot: Slot, value: number): Promise<Shown | null> {
  const probed = await probe(walk, `Does ${nameOf(slot)} turn the page?`, [{ slot, value }])
  return probed?.page ?? null
}

/** `walk.first` came for the value, and `next` for one more. */
async function compared(walk: Walk, given: GivenNumber, next: Shown): Promise<FoundGiven['found'] | null> {
  const { slot } = given
  const { keys } = walk.first
  const shared = Math.min(next.keys.length, keys.length - 1)
  if (shared > 0 && areEqual(next.keys.slice(0, shared), keys.slice(1, 1 + shared)))
    return {
      mover: { kind: 'offset', slot, base: 1 },
      size: sizesFor(walk, slot)[0] ?? null,
      evidence: [`one more in ${nameOf(slot)} begins one record later`],
    }
  return isNew(next.keys, keys) && slot.after === undefined ? byOneRecord(walk, given) : null
}

/** Another page, or another thing: only pages of one record come out at the record that counting foretells. */
async function byOneRecord(walk: Walk, { slot, value }: GivenNumber): Promise<FoundGiven['found'] | null> {
  const { keys } = walk.first
  const known = sizesFor(walk, slot)
  const sizes = known.length > 0 ? known.slice(0, 1) : slotsFor('size', walk).slice(0, 24)
  for (const base of value === 0 ? ([0] as const) : ([1, 0] as const)) {
    const page = (value - base) * keys.length + base + 1
    const puts = [{ slot, value: page }, ...sizes.map((size): Put => ({ slot: size, value: 1 }))]
    const probed = await probe(walk, `Does ${nameOf(slot)} count pages from ${base}?`, puts)
    const got = probed?.page?.keys ?? []
    if (got.length === 1 && got[0] === keys[1])
      return {
        mover: { kind: 'page', slot, base },
        size: known[0] ?? null,
        evidence: [`page ${page} of one record each is the one that counting from ${base} foretells`],
      }
  }
  return null
}

/** As many as came: what the request asked for, or what the answer says of itself. */
function sizesFor(walk: Walk, slot: Slot): Slot[] {
  if (slot.after !== undefined) return []
  const given = givenSizes(walk.question, walk.first.keys.length).filter((one) => !isSameSlot(one, slot))
  const hinted = slotsFor('size', walk).filter(
    ({ into, path }) => into !== 'header' && walk.hints.includes(path[0] ?? ''),
  )
  return [...given, ...hinted]
}

async function fromTheFirst(
  walk: Walk,
  { slot, value }: GivenNumber,
  found: FoundGiven['found'],
): Promise<FoundGiven | null> {
  const start = found.mover.kind === 'page' ? found.mover.base : 0
  const puts: Put[] = [{ slot, value: start }]
  const first = value === start ? walk.first : await pageAt(walk, slot, start)
  if (first === null) return null
  const needed = [...walk.needed.filter((put) => !isSameSlot(put.slot, slot)), ...puts]
  return { walk: { ...walk, first, needed }, found }
}

function nameOf(slot: Slot): string {
  return slot.into === 'path' ? 'the number in the path' : slotName(slot)
}
