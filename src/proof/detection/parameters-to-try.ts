/** The parameters that may select a page, and requests that try many at once, each with a different value. */
import type { Guess, KnownRecords, Mover } from './guesses.ts'
import { plainName, styled } from '../names/name-style.ts'
import type { NameKind } from '../names/paging-names.ts'
import { goTogether, mostAtOnce, type Put, type Slot, slotKey, type SlotValue } from './probe-request.ts'
import { isSlotOf, slotRank, slotsFor, unique, placesFor } from './slots.ts'
import { type DetectionSession } from './detection-session.ts'
import { moreFlagOf, namedTotals } from './first-page-claims.ts'

export type Tries = {
  readonly movers: readonly Mover[]
  readonly sizes: readonly Slot[]
}

export function triesFor(session: DetectionSession): Tries {
  const kinds = session.layout.id === null ? (['page', 'offset'] as const) : (['page', 'offset', 'after'] as const)
  const slots = unique(interleaved(kinds.map((kind) => slotsFor(kind, session))))
  return { movers: slots.flatMap((slot) => moversAt(session, slot)), sizes: slotsFor('size', session) }
}

/** The first of each, then the second of each. */
function interleaved(lists: readonly (readonly Slot[])[]): Slot[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat()
}

/** What a parameter of this name may count. */
export function moversAt({ layout }: DetectionSession, slot: Slot): Mover[] {
  const found: Mover[] = []
  if (isSlotOf('page', slot)) found.push({ kind: 'page', slot, base: 1 }, { kind: 'page', slot, base: 0 })
  if (isSlotOf('offset', slot)) found.push({ kind: 'offset', slot, base: 1 })
  if (countsFromOne(slot)) found.push({ kind: 'position', slot, base: 1 })
  if (isSlotOf('after', slot) && layout.id !== null) found.push({ kind: 'after', slot, base: 1 })
  return found
}

/** Records have numbers from 1 in SCIM and its like; only the query takes a sum. */
export function countsFromOne({ into, path }: Slot): boolean {
  return (
    into === 'request_parameter' &&
    /^(start|startindex|startrecord|startrow|begin|position)$/.test(plainName(path[0] ?? ''))
  )
}

const mostSizes = 16
/** As many as fit into a URL. */
const mostMovers = mostAtOnce

/** Every name at once, with different values: how far the records move shows which name has an effect. */
export function mixed({ movers, sizes }: Tries, { keys, ids }: KnownRecords): Put[] {
  const most = keys.length - 1
  const puts: Put[] = []
  const add = (slot: Slot, value: SlotValue) => {
    const isFree = puts.every(
      (put) => goTogether(put.slot, slot) && !areOpposite(put.slot, slot) && slotKey(put.slot) !== slotKey(slot),
    )
    if (isFree) puts.push({ slot, value })
    return isFree
  }
  const cycle = (index: number, from: number, to: number) => from + (index % Math.max(1, to - from + 1))
  let sizeCount = 0
  for (const slot of sizes) {
    if (sizeCount < mostSizes && add(slot, cycle(sizeCount, most >= 4 ? 2 : 1, Math.min(most, 9)))) sizeCount++
  }
  const counts = { page: 0, offset: 0, position: 0, after: 0 }
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

/** Opposite names cancel each other: `before` is tried in another request than `after`. */
function areOpposite(one: Slot, other: Slot): boolean {
  const [name, counter] = [one, other].map(({ path }) => plainName(path.at(-1) ?? ''))
  return name !== undefined && (opposites.get(counter ?? '')?.includes(name) ?? false)
}

const opposites: ReadonlyMap<string, readonly string[]> = new Map([
  ['before', ['after', 'since']],
  ['beforeid', ['afterid', 'sinceid', 'fromid']],
  ['maxid', ['minid', 'sinceid', 'afterid']],
])

/** The remaining names, each with a distinguishing value; half of them, where values would collide. */
export function apart(open: readonly Guess[], { keys, ids }: KnownRecords): Put[] {
  const slots = (all: readonly (Slot | null)[]) => unique(all.flatMap((slot) => slot ?? []))
  const sizes = slots(open.map(({ size }) => size))
  const movers = open.flatMap(({ mover }) => mover ?? [])
  const places = slots(movers.map(({ slot }) => slot))
  const isOneSize = new Set(open.map(({ size }) => (size === null ? '' : slotKey(size)))).size === 1
  const isDecided = isOneSize && (sizes.length === 1 || movers.every(({ kind }) => kind !== 'page'))
  const most = keys.length - 1
  const chosen = isDecided ? places : places.slice(0, Math.ceil(places.length / 2))
  const values = chosen.flatMap((slot, index): Put[] => {
    // Where there is room, two steps apart: a page may count from 0 or 1.
    const step = 1 + ((chosen.length * 2 <= most ? index * 2 : index) % most)
    const kind = movers.find((mover) => slotKey(mover.slot) === slotKey(slot))?.kind
    const value = kind === 'page' ? (isDecided ? step + 1 : 2) : kind === 'offset' ? step : (ids[step - 1] ?? null)
    return value === null ? [] : [{ slot, value }]
  })
  const sized = sizes.map((slot, index): Put => ({ slot, value: isOneSize ? 1 : 1 + (index % most) }))
  const puts: Put[] = []
  for (const put of [...sized, ...values]) if (puts.every(({ slot }) => goTogether(slot, put.slot))) puts.push(put)
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
    .map((guess) => ({ guess, weight: weight(guess) }))
    .toSorted((one, other) => one.weight - other.weight)
    .map(({ guess }) => guess)
}

export const sizelessWeight = 15

/** The smaller the likelier: usual names, and both parameters rather than one. */
export function weight({ mover, size }: Guess): number {
  const header = (slot: Slot) => (slot.into === 'header' ? 6 : 0)
  const moving =
    mover === null ? 60 : slotRank(nameKindOf(mover), mover.slot) * 2 + header(mover.slot) + (isRare(mover) ? 1 : 0)
  return moving + (size === null ? sizelessWeight : slotRank('size', size) + header(size))
}

function nameKindOf({ kind }: Mover): NameKind {
  return kind === 'position' ? 'offset' : kind
}

function isRare({ kind }: Mover): boolean {
  return kind === 'after' || kind === 'position'
}

export function without({ movers, sizes }: Tries, gone: readonly Slot[]): Tries {
  const keys = new Set(gone.map(slotKey))
  return {
    movers: movers.filter(({ slot }) => !keys.has(slotKey(slot))),
    sizes: sizes.filter((slot) => !keys.has(slotKey(slot))),
  }
}

/** In words, to be written as the API writes its names; what begins with `=` is written so everywhere. */
type Convention = readonly [mover: string, ...sizes: readonly string[]]

const counted: readonly Convention[] = [
  ['offset', 'limit', 'count'],
  ['page', 'per page', 'limit', 'page size', 'size'],
  ['=_page', '=_limit', '=_per_page'],
  ['=_start', '=_limit'],
  ['skip', 'take', 'limit', 'top'],
  ['=$skip', '=$top', '=$limit'],
  ['page number', 'page size', 'limit', 'size'],
  ['=$offset', '=$limit'],
  ['start', 'limit', 'rows', 'count'],
  ['from', 'size', 'limit'],
  ['=page[number]', '=page[size]'],
  ['=page[offset]', '=page[limit]'],
  ['=_offset', '=_limit', '=_count'],
]

const byKey: Convention = ['starting after', 'limit']

/** An API that only says whether more follows often takes the key of the last record. */
function conventionsOf(session: DetectionSession, withSize: boolean): Convention[] {
  const at = moreFlagOf(session) === null || namedTotals(session.first, session.layout).length > 0 ? 7 : 2
  // A page number alone takes a second request, for the number of the first page.
  const isSooner = ([mover]: Convention) => Number(!withSize && (mover === 'page number' || mover === 'skip'))
  const [first, rest] = [counted.slice(0, 3), counted.slice(3)]
  return [...first, ...rest.toSorted((one, other) => isSooner(other) - isSooner(one))].toSpliced(at, 0, byKey)
}

/** With the size that usually goes with it, or alone. */
export function conventionsFor(session: DetectionSession, withSize: boolean): Guess[] {
  return conventionsOf(session, withSize).flatMap(([name, usual = '']) => {
    const [slot] = placesFor(session.question, [styled(name, session.style)])
    const [size = null] = withSize ? placesFor(session.question, [styled(usual, session.style)]) : []
    const mover = slot === undefined ? undefined : moversAt(session, slot)[0]
    return mover === undefined ? [] : [{ mover, size }]
  })
}

/** The size parameters that usually go with this one. */
export function sizesNextTo(session: DetectionSession, mover: Slot): Slot[] {
  const name = mover.path.at(-1) ?? ''
  const all = [...counted, byKey]
  const found =
    all.find(([one]) => one === `=${name}`) ??
    all.find(([one]) => !one.startsWith('=') && plainName(one) === plainName(name))
  return placesFor(session.question, found?.slice(1).map((one) => styled(one, session.style)) ?? [])
}
