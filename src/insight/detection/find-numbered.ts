/** Offsets, page numbers and keys: which parameter moves the first record, and by how much. */
import type { Value } from './question.ts'
import { fitOf, type Guess, type Known, type Mover } from './guesses.ts'
import { areEqual, isNew } from './pages.ts'
import { names } from './paging-names.ts'
import { goTogether, type Put, type Slot, slotKey, slotName } from './question.ts'
import { isRefused, readRefusal } from './refusals.ts'
import { isNameOf, placesIn, slotsFor, unique } from './slots.ts'
import { type Probed, probe, type Walk } from './walk.ts'

export type Numbered = {
  readonly mover: Mover | null
  readonly size: Slot | null
  readonly evidence: readonly string[]
}

export type NumberedSearch = {
  /** Null when nothing that was tried has an effect. */
  readonly found: Numbered | null
  /** Whether the API took names it cannot know, and answered as if they were not there. */
  readonly ignored: readonly string[]
  /** Answers to probes: one may hold a token that the first had not. */
  readonly probed: readonly Probed[]
}

type Tried = { readonly puts: readonly Put[]; readonly probed: Probed }

export async function findNumbered(walk: Walk): Promise<NumberedSearch> {
  const known = knownOf(walk)
  const tried: Tried[] = []
  const ignored: string[] = []
  const end = (found: Numbered | null): NumberedSearch => ({
    found,
    ignored,
    probed: tried.map(({ probed }) => probed),
  })
  if (known.keys.length < 2) return end(null)

  const all = candidatesFor(walk)
  const ask = async (why: string, puts: readonly Put[]) => {
    const probed = await probe(walk, why, puts)
    if (probed !== null) tried.push({ puts, probed })
    return probed
  }
  const fits = (guess: Guess) =>
    tried.every(({ puts, probed }) => isSilent(probed) || fitOf(guess, puts, known, probed.page) !== 'none')

  // What the request or the answer names is worth a probe of its own.
  const hinted = all.hinted
  if (hinted.mover !== null) {
    const found = await confirm(known, ask, tried, { mover: hinted.mover, size: hinted.size })
    if (found !== null) return end(found)
  }

  let movers = all.movers
  let sizes = all.sizes
  for (let wave = 0; wave < 3 && walk.asking.left() > 1; wave++) {
    const puts = mixed(movers, sizes, known)
    if (puts.length === 0) break
    const probed = await ask(
      wave === 0 ? 'Which of the usual names have an effect?' : 'Do less usual names have one?',
      puts,
    )
    if (probed === null) break
    const sent = puts.map(({ slot }) => slot)
    if (probed.page === null && isRefused(probed.answer)) {
      tried.pop()
      const { unknown, known: taken, offered } = readRefusal(probed.answer, sent)
      const strict = await oneByOne(walk, known, ask, tried, { unknown, taken, offered, all })
      return end(strict)
    }
    const isIgnored = probed.page !== null && areEqual(probed.page.keys, known.keys)
    if (isIgnored) {
      ignored.push(...sent.map(slotName))
      const left = (slot: Slot) => !sent.some((one) => slotKey(one) === slotKey(slot))
      movers = movers.filter(({ slot }) => left(slot))
      sizes = sizes.filter(left)
      continue
    }
    const guesses = guessesOf(puts, movers, sizes).filter(fits)
    const found = await best(walk, known, ask, tried, guesses)
    return end(found)
  }
  return end(null)
}

type Ask = (why: string, puts: readonly Put[]) => Promise<Probed | null>

/** The likeliest guesses one after the other, each by a request of its own. */
async function best(
  walk: Walk,
  known: Known,
  ask: Ask,
  tried: Tried[],
  guesses: readonly Guess[],
): Promise<Numbered | null> {
  const pending = guesses.toSorted((one, other) => weight(one) - weight(other))
  for (let tries = 0; tries < 4; tries++) {
    const guess = pending.find((one) =>
      tried.every(({ puts, probed }) => isSilent(probed) || fitOf(one, puts, known, probed.page) !== 'none'),
    )
    if (guess === undefined || walk.asking.left() === 0) return null
    const found = await confirm(known, ask, tried, guess)
    if (found !== null) return found
    pending.splice(pending.indexOf(guess), 1)
  }
  return null
}

const rank = new Map<string, number>()
for (const kind of ['page', 'offset', 'after', 'size'] as const) {
  for (const [index, name] of names[kind].entries()) if (!rank.has(name)) rank.set(name, index)
}

/** The smaller the likelier: usual names, from 1, and both parameters rather than one. */
function weight({ mover, size }: Guess): number {
  const of = (slot: Slot) => (slot.into === 'header' ? 6 : 0) + (rank.get(slot.path.at(-1) ?? '') ?? 20)
  return (mover === null ? 60 : of(mover.slot) * 2 + (mover.kind === 'after' ? 1 : 0)) + (size === null ? 15 : of(size))
}

/** Asks with these two parameters and nothing else: a page that begins where foretold, with as many records as asked for. */
async function confirm(known: Known, ask: Ask, tried: readonly Tried[], guess: Guess): Promise<Numbered | null> {
  const { mover, size } = guess
  const count = known.keys.length
  const some = count >= 7 ? 2 : 1
  const puts: Put[] = [
    ...(mover === null ? [] : [{ slot: mover.slot, value: moverValue(mover, known, count >= 7 ? 3 : 1) }]),
    ...(size === null ? [] : [{ slot: size, value: some }]),
  ]
  const probed = await ask(
    `Is it ${[mover?.slot, size].flatMap((slot) => (slot ? [slotName(slot)] : [])).join(' with ')}?`,
    puts,
  )
  if (probed === null || isSilent(probed)) return null
  const bases: readonly (0 | 1)[] = mover?.kind === 'page' ? [1, 0] : [1]
  const variants = bases.flatMap((base): Guess[] => {
    const moved = mover === null ? null : { ...mover, base }
    return [{ mover: moved, size }, ...(size === null || mover === null ? [] : [{ mover: moved, size: null }])]
  })
  const isOpen = (one: Guess) =>
    fitOf(one, puts, known, probed.page) !== 'none' &&
    tried.every(
      (other) =>
        isSilent(other.probed) || other.puts.length > 4 || fitOf(one, other.puts, known, other.probed.page) !== 'none',
    )
  const open = variants.filter(isOpen)
  const strong = open.filter((one) => fitOf(one, puts, known, probed.page) === 'strong')
  const saw = `${puts.map(({ slot, value }) => `${slotName(slot)}=${String(value)}`).join(' and ')} gave ${sayGot(probed)}`
  const [first] = strong
  if (first === undefined)
    return mover?.kind === 'page' && open.length > 0 ? baseOfOnePage(known, ask, open, saw) : null
  if (first.mover?.kind !== 'page') return { ...first, evidence: [saw] }
  const others = strong.filter((one) => one.mover?.base !== first.mover?.base && one.size === first.size)
  if (others.length === 0) return { ...first, evidence: [saw] }
  return baseByPageOne(known, ask, first, saw)
}

/** Pages of a fixed size lie beyond the first whether they count from 0 or 1: what page 1 holds tells. */
async function baseByPageOne(known: Known, ask: Ask, { mover, size }: Guess, saw: string): Promise<Numbered | null> {
  if (mover === null) return null
  const name = slotName(mover.slot)
  const probed = await ask(`Is ${name}=1 the first page or the second?`, [{ slot: mover.slot, value: 1 }])
  if (!probed?.page) return null
  if (areEqual(probed.page.keys, known.keys))
    return { mover: { ...mover, base: 1 }, size, evidence: [saw, `${name}=1 is the first page`] }
  if (!isNew(probed.page.keys, known.keys)) return null
  return { mover: { ...mover, base: 0 }, size, evidence: [saw, `${name}=1 is the second page, so they count from 0`] }
}

/** All there is fits on one page: a page after it that is empty, and a page 1 that is not, still tell. */
async function baseOfOnePage(known: Known, ask: Ask, open: readonly Guess[], saw: string): Promise<Numbered | null> {
  const [guess] = open
  if (!guess?.mover) return null
  const found = await baseByPageOne(known, ask, { ...guess, size: null }, saw)
  return found?.mover?.base === 1 ? found : null
}

function moverValue({ kind }: Mover, { ids }: Known, steps: number): Value {
  if (kind === 'page') return 2
  if (kind === 'offset') return steps
  return ids[steps - 1] ?? steps
}

function sayGot({ page }: Probed): string {
  return page === null ? 'no page' : `${page.keys.length} record${page.keys.length === 1 ? '' : 's'}`
}

/** No answer, or one of trouble: it speaks neither for nor against. */
function isSilent({ answer, page }: Probed): boolean {
  return page === null && (answer.status === null || ![404, 416].includes(answer.status))
}

/** Every name at once, with values that show by what comes which of them counted. */
function mixed(movers: readonly Mover[], sizes: readonly Slot[], { keys, ids }: Known): Put[] {
  const most = keys.length - 1
  const puts: Put[] = []
  const add = (slot: Slot, value: Value) => {
    if (puts.every((put) => goTogether(put.slot, slot) && slotKey(put.slot) !== slotKey(slot)))
      puts.push({ slot, value })
  }
  const cycle = (index: number, from: number, to: number) => from + (index % Math.max(1, to - from + 1))
  for (const [index, slot] of sizes.slice(0, 16).entries())
    add(slot, cycle(index, most >= 4 ? 2 : 1, Math.min(most, 9)))
  const kinds = { page: 0, offset: 0, after: 0 }
  for (const mover of uniqueMovers(movers).slice(0, 34)) {
    const index = kinds[mover.kind]++
    if (mover.kind === 'page') add(mover.slot, cycle(index, 2, 4))
    else if (mover.kind === 'offset') add(mover.slot, cycle(index, 1, most))
    else {
      const id = ids[most - 1 - (index % most)] ?? null
      if (id !== null) add(mover.slot, id)
    }
  }
  return puts
}

function uniqueMovers(movers: readonly Mover[]): Mover[] {
  return movers.filter(
    (mover, index) => movers.findIndex((other) => slotKey(other.slot) === slotKey(mover.slot)) === index,
  )
}

function guessesOf(puts: readonly Put[], movers: readonly Mover[], sizes: readonly Slot[]): Guess[] {
  const isSent = (slot: Slot) => puts.some((put) => slotKey(put.slot) === slotKey(slot))
  const moving: (Mover | null)[] = [null, ...movers.filter(({ slot }) => isSent(slot))]
  const sizing: (Slot | null)[] = [null, ...sizes.filter(isSent)]
  return moving
    .flatMap((mover) => sizing.map((size): Guess => ({ mover, size })))
    .filter(({ mover, size }) => mover !== null || size !== null)
}

/** An API that refuses what it does not know is asked for one thing at a time. */
async function oneByOne(
  walk: Walk,
  known: Known,
  ask: Ask,
  tried: Tried[],
  {
    unknown,
    taken,
    offered,
    all,
  }: { unknown: readonly Slot[]; taken: readonly Slot[]; offered: readonly string[]; all: Candidates },
): Promise<Numbered | null> {
  const isOut = new Set(unknown.map(slotKey))
  // A list of all unknown names leaves the known ones over; a single one says little.
  const told = [...placesIn(walk.question, offered), ...taken]
  const toldKeys = new Set(told.map(slotKey))
  const toldMovers = moversFor(walk, told)
  const toldSizes = told.filter(({ path }) => isNameOf('size', path.at(-1) ?? ''))
  const movers = [
    ...toldMovers,
    ...all.movers.filter(({ slot }) => !isOut.has(slotKey(slot)) && !toldKeys.has(slotKey(slot))),
  ]
  const sizes = [...toldSizes, ...all.sizes.filter((slot) => !isOut.has(slotKey(slot)) && !toldKeys.has(slotKey(slot)))]
  const isListed = unknown.length > 3 || offered.length > 1
  for (const mover of uniqueMovers(movers).slice(0, 6)) {
    if (walk.asking.left() === 0) return null
    const size = isListed ? (sizes[0] ?? null) : null
    const found = await confirm(known, ask, tried, { mover, size })
    if (found !== null) return found
  }
  return null
}

type Candidates = {
  readonly movers: readonly Mover[]
  readonly sizes: readonly Slot[]
  readonly hinted: { readonly mover: Mover | null; readonly size: Slot | null }
}

function candidatesFor(walk: Walk): Candidates {
  const { question, hints } = walk
  const slots = unique([
    ...slotsFor('page', question, hints),
    ...slotsFor('offset', question, hints),
    ...(hasIds(walk) ? slotsFor('after', question, hints) : []),
  ])
  const movers = moversFor(walk, byRank(slots))
  const sizes = byRank(slotsFor('size', question, hints))
  const isHinted = (slot: Slot) => hints.includes(slot.path.at(-1) ?? '') && slot.into !== 'header'
  const mover = movers.find(({ slot }) => isHinted(slot)) ?? null
  const size = sizes.find(isHinted) ?? null
  return { movers, sizes, hinted: { mover, size } }
}

/** Usual names first, whatever they ask for; headers among them, but not before. */
function byRank(slots: readonly Slot[]): Slot[] {
  const place = ({ into, path }: Slot) => (rank.get(path.at(-1) ?? '') ?? 4) + (into === 'header' ? 3 : 0)
  return slots.toSorted((one, other) => place(one) - place(other))
}

function moversFor(walk: Walk, slots: readonly Slot[]): Mover[] {
  return slots.flatMap((slot): Mover[] => {
    const name = slot.path.at(-1) ?? ''
    if (isNameOf('page', name))
      return [
        { kind: 'page', slot, base: 1 },
        { kind: 'page', slot, base: 0 },
      ]
    if (isNameOf('offset', name)) return [{ kind: 'offset', slot, base: 1 }]
    return isNameOf('after', name) && hasIds(walk) ? [{ kind: 'after', slot, base: 1 }] : []
  })
}

function hasIds({ reading }: Walk): boolean {
  return reading.id !== null
}

export function knownOf({ first, reading }: Walk): Known {
  const { id } = reading
  const ids = first.records.map((record) => (id === null ? null : (record[id] as Value)))
  return { keys: first.keys, ids }
}
