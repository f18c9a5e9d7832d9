/** A guess → a request with its parameters and nothing else: a page that begins where predicted confirms it. */
import { count } from '../../std/text/format-count.ts'
import { countsFromOne } from './parameters-to-try.ts'
import { guessFit, type Guess, type KnownRecords, type Mover } from './guesses.ts'
import { areEqual, isNew } from './probed-pages.ts'
import { type Put, type Slot, slotName, type SlotValue } from './probe-request.ts'
import { sizeToAsk, type TakenSizes } from './refusals.ts'
import type { Probed } from './detection-session.ts'

export type Numbered = {
  readonly mover: Mover | null
  readonly size: Slot | null
  readonly evidence: readonly string[]
}

export type Tried = { readonly puts: readonly Put[]; readonly probed: Probed }

/** Asks, and remembers what was asked and answered. */
export type Trying = {
  readonly known: KnownRecords
  readonly ask: (why: string, puts: readonly Put[]) => Promise<Probed | null>
  readonly tried: readonly Tried[]
  /** What refusals taught about the sizes that are taken. */
  readonly sizes: TakenSizes
  /** Whether the first page may be all there is, so that an empty page 2 is worth another request. */
  readonly mayBeAll: boolean
}

/** No response, or one of trouble: it speaks neither for nor against. */
function isSilent({ response, page }: Probed): boolean {
  return page === null && response.status !== 404 && response.status !== 416
}

/** Whether nothing that was asked so far speaks against it. */
export function isOpen(guess: Guess, { tried, known }: Pick<Trying, 'tried' | 'known'>): boolean {
  return tried.every(({ puts, probed }) => isSilent(probed) || guessFit(guess, puts, known, probed.page) !== 'none')
}

export async function confirm(trying: Trying, { mover, size }: Guess): Promise<Numbered | null> {
  const { known, ask, sizes } = trying
  const isMany = known.keys.length >= 7
  const asked = size === null ? null : sizeToAsk(sizes, size, known.keys.length, isMany ? 2 : 1)
  // Its size is left as it was given: which parameter asks for it is known all the same.
  if (size !== null && asked === null) {
    const found = mover === null ? null : await confirm(trying, { mover, size: null })
    return found === null ? null : { ...found, size }
  }
  const puts: Put[] = [
    ...(mover === null ? [] : [{ slot: mover.slot, value: valueFor(mover, known, isMany ? 3 : 1) }]),
    ...(size === null || asked === null ? [] : [{ slot: size, value: asked }]),
  ]
  const probed = await ask(`Is it ${puts.map(({ slot }) => slotName(slot)).join(' with ')}?`, puts)
  if (probed === null) return null
  if (isSilent(probed)) {
    const isTaught = size !== null && sizeToAsk(sizes, size, known.keys.length, asked ?? 0) !== asked
    return isTaught ? confirm(trying, { mover, size }) : null
  }
  const fit = (one: Guess) => guessFit(one, puts, known, probed.page)
  const open = variantsOf(mover, size).filter((one) => fit(one) !== 'none')
  const strong = open.filter((one) => fit(one) === 'strong')
  const saw = `${puts.map(({ slot, value }) => `${slotName(slot)}=${String(value)}`).join(' with ')} gave ${sayGot(probed)}`
  const [best] = strong
  if (best === undefined) return mover?.kind === 'page' && trying.mayBeAll ? baseOfOnePage(trying, open, saw) : null
  const isDoubtful = strong.some((one) => one.size === best.size && one.mover?.base !== best.mover?.base)
  return isDoubtful ? baseByPageOne(trying, best, saw) : { ...best, evidence: [saw] }
}

/** The size may be without effect, and a page may count from 0 or 1. */
function variantsOf(mover: Mover | null, size: Slot | null): Guess[] {
  const bases: readonly (0 | 1)[] = mover?.kind === 'page' ? [1, 0] : [1]
  const moves: readonly (Mover | null)[] =
    mover === null ? [null] : [...bases.map((base): Mover => ({ ...mover, base })), ...fromOne(mover)]
  return moves.flatMap((moved): Guess[] => {
    return [{ mover: moved, size }, ...(size === null || moved === null ? [] : [{ mover: moved, size: null }])]
  })
}

function fromOne(mover: Mover): Mover[] {
  return mover.kind === 'offset' && countsFromOne(mover.slot) ? [{ ...mover, kind: 'position' }] : []
}

/** With a fixed page size, page 2 is new whether pages count from 0 or 1: page 1 decides. */
async function baseByPageOne({ known, ask }: Trying, { mover, size }: Guess, saw: string): Promise<Numbered | null> {
  if (mover === null) return null
  const name = slotName(mover.slot)
  const probed = await ask(`Is ${name}=1 the first page or the second?`, [{ slot: mover.slot, value: 1 }])
  if (!probed?.page) return null
  const { keys } = probed.page
  if (areEqual(keys, known.keys))
    return { mover: { ...mover, base: 1 }, size, evidence: [saw, `${name}=1 gave the first page`] }
  if (!isNew(keys, known.keys)) return null
  return { mover: { ...mover, base: 0 }, size, evidence: [saw, `${name}=1 gave the second page, so they count from 0`] }
}

/** All records fit on one page: an empty page 2 and a page 1 with records still show the base. */
async function baseOfOnePage(trying: Trying, open: readonly Guess[], saw: string): Promise<Numbered | null> {
  const [guess] = open
  if (!guess?.mover) return null
  const found = await baseByPageOne(trying, { ...guess, size: null }, saw)
  return found?.mover?.base === 1 ? found : null
}

function valueFor({ kind }: Mover, { ids }: KnownRecords, steps: number): SlotValue {
  if (kind === 'page') return 2
  if (kind === 'position') return steps + 1
  return kind === 'offset' ? steps : (ids[steps - 1] ?? steps)
}

function sayGot({ page, response }: Probed): string {
  if (page === null) return String(response.status)
  return count(page.keys.length, 'record')
}
