/** Finds the parameter for an offset, a page number or a key: the one that moves the first record, and by how much. */
import {
  apart,
  guessesFor,
  mixed,
  moversAt,
  type Tries,
  triesFor,
  sizelessWeight,
  weight,
  without,
  conventionsFor,
} from './parameters-to-try.ts'
import { confirm, isOpen, type Numbered, type Tried, type Trying } from './confirm.ts'
import type { Guess, KnownRecords, Mover } from './guesses.ts'
import { isNameOf } from '../names/paging-names.ts'
import { areEqual } from './probed-pages.ts'
import { pointersIn } from './pointers.ts'
import { isSameSlot, type Put, type Slot, slotKey, slotName, type SlotValue } from './probe-request.ts'
import { isRefused, passedBefore, readRefusal, learnSizes, type TakenSizes } from './refusals.ts'
import { isSlotOf, placesFor } from './slots.ts'
import { type Probed, sendProbe, type DetectionSession } from './detection-session.ts'

type NumberedSearch = {
  /** Null when nothing that was tried explains what came. */
  readonly found: Numbered | null
  /** Every name that was tried, where none of them had an effect: then there is no paging by name. */
  readonly ignored: readonly string[]
  /** One of the responses may hold a token that the first had not. */
  readonly probed: readonly Probed[]
  readonly tried: readonly Tried[]
  /** The API refuses unknown names or treats them as filters: names are tried one at a time. */
  readonly isStrict: boolean
}

const mostWaves = 6

export async function findNumbered(session: DetectionSession): Promise<NumberedSearch> {
  const known = knownOf(session)
  const tried: Tried[] = []
  const ignored: string[] = []
  const sizes: TakenSizes = new Map()
  let hadEffect = false
  const trying: Trying = {
    known,
    tried,
    sizes,
    mayBeAll: true,
    async ask(why, puts) {
      const probed = await sendProbe(session, why, puts)
      if (probed === null) return null
      learnSizes(sizes, probed.response, puts)
      tried.push({ puts, probed })
      const isSame = probed.page !== null && areEqual(probed.page.keys, known.keys)
      if (isSame) ignored.push(...puts.map(({ slot }) => slotName(slot)))
      else hadEffect = true
      return probed
    },
  }
  const outcome = known.keys.length < 2 ? null : await searchOn(session, trying)
  return {
    found: outcome === 'nothing' ? null : outcome,
    ignored: outcome === 'nothing' && !hadEffect ? placesFirst(ignored) : [],
    probed: tried.map(({ probed }) => probed),
    tried,
    isStrict: tried.some(({ puts, probed }) => puts.length > mostOfGuess && isTurnedDown(probed)),
  }
}

/** A single guess sends at most two names; more means that many were tried at once. */
const mostOfGuess = 2

/** Refused, or an empty list where a page has records: a name that is not known may be taken for a filter. */
function isTurnedDown({ response, page }: Probed): boolean {
  return page === null ? isRefused(response) : page.keys.length === 0
}

/** Names for another page are more useful to report than names for another size. */
function placesFirst(names: readonly string[]): string[] {
  const isSize = (name: string) => Number(isNameOf('size', name))
  return [...new Set(names)].toSorted((one, other) => isSize(one) - isSize(other))
}

/** A size alone requests no other page: names that were not sent yet may, unless the smaller page names the next one. */
async function searchOn(session: DetectionSession, trying: Trying): Promise<Numbered | 'nothing' | null> {
  const all = triesFor(session)
  const sized = await search(session, trying, all)
  if (sized === null || sized === 'nothing' || sized.mover !== null || namesNext(session, trying)) return sized
  const sent = trying.tried.flatMap(({ puts }) => puts.map(({ slot }) => slot))
  const moving = await search(session, trying, { ...without(all, sent), sizes: [] })
  return moving === null || moving === 'nothing' ? sized : { ...moving, size: sized.size }
}

function namesNext({ layout }: DetectionSession, { tried }: Trying): boolean {
  return tried.some(({ probed: { page } }) => {
    if (page === null) return false
    const { body, headers, url } = page.response
    return pointersIn(body, headers, layout.path, url).some(({ value }) => value !== null)
  })
}

/** `nothing`: every name there is was tried, and none has an effect. */
async function search(session: DetectionSession, trying: Trying, all: Tries): Promise<Numbered | 'nothing' | null> {
  let tries = all
  const begun = trying.tried.length
  // What the request or the response names is worth a probe of its own.
  const hinted = hintedGuess(session, tries)
  const first = hinted === null ? null : await confirm(trying, hinted)
  if (first !== null) return first
  for (let wave = 0; wave < mostWaves && session.sender.left() > 0; wave++) {
    if (tries.movers.length === 0) return 'nothing'
    const puts = mixed(tries, trying.known)
    if (puts.length === 0) return null
    // The effect of names in an earlier request says nothing about these.
    const from = wave === 0 ? begun : trying.tried.length
    const why = wave === 0 ? 'Which of the usual names have an effect?' : 'Do less usual names have one?'
    const probed = await trying.ask(why, puts)
    if (probed === null) return null
    if (probed.page === null && isRefused(probed.response)) return oneByOne(session, trying, tries, probed, puts)
    if (wave === 0 && isTurnedDown(probed)) {
      const found = await byConvention(session, trying)
      if (found !== 'other') return found
    }
    const isSame = probed.page !== null && areEqual(probed.page.keys, trying.known.keys)
    const found = isSame ? null : await likeliest(session, trying, guessesFor(tries, puts), from)
    if (found !== null) return found
    tries = without(
      tries,
      puts.map(({ slot }) => slot),
    )
  }
  return null
}

/** `other`: what is not known is not filtered by, so that names may be tried together. */
async function byConvention(session: DetectionSession, trying: Trying): Promise<Numbered | 'other' | null> {
  for (const guess of conventionsFor(session, true)) {
    if (session.sender.left() === 0) return null
    // Of the most usual only: of each, it would cost a request more.
    const mayBeAll = guess.mover !== null && slotName(guess.mover.slot) === 'page'
    const found = await confirm({ ...trying, mayBeAll }, guess)
    if (found !== null) return found
    const last = trying.tried.at(-1)?.probed
    if (last !== undefined && !isTurnedDown(last)) return 'other'
  }
  return 'other'
}

/** Confirms the most likely guess if it is clear; otherwise sends requests that separate the remaining ones. */
async function likeliest(
  session: DetectionSession,
  trying: Trying,
  guesses: readonly Guess[],
  from: number,
): Promise<Numbered | null> {
  const confirmed = new Set<Guess>()
  let narrowed = 0
  for (;;) {
    const open = guesses.filter(
      (one) => !confirmed.has(one) && isOpen(one, { ...trying, tried: trying.tried.slice(from) }),
    )
    const [first] = open
    if (first === undefined || session.sender.left() === 0) return null
    const isUsual = confirmed.size === 0 && weight(first) - (first.size === null ? sizelessWeight : 0) <= usualWeight
    if (isUsual || narrowed >= mostNarrowings || placesIn(open) <= 2 || session.sender.left() === 1) {
      confirmed.add(first)
      const found = await confirm(trying, first)
      if (found !== null) return found
    } else {
      narrowed++
      await trying.ask('Which of the remaining ones?', apart(open, trying.known))
    }
  }
}

/** `page` or `offset` with one of the usual names for the size. */
const usualWeight = 6
const mostNarrowings = 2

function placesIn(guesses: readonly Guess[]): number {
  return new Set(guesses.map(({ mover }) => (mover === null ? '' : slotKey(mover.slot)))).size
}

function hintedGuess({ hints }: DetectionSession, { movers, sizes }: Tries): Guess | null {
  const isHinted = ({ into, path }: Slot) => into !== 'header' && hints.includes(path.at(-1) ?? '')
  const mover = movers.find(({ slot }) => isHinted(slot))
  if (mover === undefined) return null
  return { mover, size: sizes.find((slot) => isHinted(slot) && slot.into === mover.slot.into) ?? null }
}

/** Strict APIs are tried with one name at a time, first the names from their refusal. */
async function oneByOne(
  session: DetectionSession,
  trying: Trying,
  all: Tries,
  { response }: Probed,
  puts: readonly Put[],
): Promise<Numbered | null> {
  const sent = puts.map(({ slot }) => slot)
  const refusal = readRefusal(response, sent)
  const suggested = [...placesFor(session.question, refusal.offered), ...refusal.known]
  const size = suggested.find((slot) => isSlotOf('size', slot)) ?? null
  const passed = passedBefore(sent, refusal)
  const rest = without(all, refusal.unknown)
  const usual = conventionsFor(session, false).flatMap(({ mover }) => mover ?? [])
  const isOut = ({ slot }: Mover) => refusal.unknown.some((one) => isSameSlot(one, slot))
  const movers = [
    ...[...suggested, ...passed].flatMap((slot) => moversAt(session, slot)),
    ...(refusal.offered.length > 0 ? [] : [...usual.filter((one) => !isOut(one)), ...rest.movers]),
  ]
  const done = new Set<string>()
  for (const mover of movers) {
    const name = slotName(mover.slot) + mover.slot.into + mover.kind
    if (done.has(name)) continue
    if (session.sender.left() === 0) return null
    done.add(name)
    const found = await confirm(trying, { mover, size })
    if (found !== null) return found
  }
  return null
}

function knownOf({ first, layout: { id } }: DetectionSession): KnownRecords {
  const ids = first.records.map((record) => (id === null ? null : (record[id] as SlotValue)))
  return { keys: first.keys, all: new Set(first.keys), ids }
}
