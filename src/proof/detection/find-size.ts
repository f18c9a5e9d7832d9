/** How many records a page may have: which parameter says it, and the most that the API gives. */
import { number } from '../../std/text/format-count.ts'
import { isNameOf, looseSizeNames, styledNames } from '../names/paging-names.ts'
import { areEqual, isNew, type ProbedPage } from './probed-pages.ts'
import { goTogether, mostAtOnce, type Put, type Slot, slotKey, slotName } from './probe-request.ts'
import { isRefused, passedBefore, readRefusal, learnSizes, sizeToAsk, type TakenSizes } from './refusals.ts'
import { isSlotOf, placesFor, slotsFor, unique, variablesOf } from './slots.ts'
import { sizesNextTo } from './parameters-to-try.ts'
import { type Probed, sendProbe, type DetectionSession } from './detection-session.ts'
import { saysMore, namedTotals } from './first-page-claims.ts'

export type Sizing = {
  /** Null where no parameter was seen to have an effect. */
  readonly slot: Slot | null
  /** Records a page as far as it is known to hold. */
  readonly pageSize: number
  readonly cap: number | null
  readonly evidence: readonly string[]
  /** The response to the largest page, which may be the last one too. */
  readonly largest: Probed | null
}

type SizeHints = {
  /** A parameter that was seen to work. */
  readonly known: Slot | null
  /** Names found in links, with the size of the page as their value. */
  readonly likely: readonly Slot[]
  /** Where the token goes: the size usually goes next to it. */
  readonly nextTo: Slot | null
  /** Whether a page names the one after it, as the first page does; absent where pages are counted. */
  readonly leadsOn?: (page: ProbedPage) => boolean
}

/** As many as came, where nothing asks for another number. */
export function defaultSizing({ keys }: ProbedPage): Sizing {
  return { slot: null, pageSize: keys.length, cap: null, evidence: [], largest: null }
}

export async function findSize(session: DetectionSession, hints: SizeHints): Promise<Sizing> {
  const { known, likely, nextTo } = hints
  const count = session.first.keys.length
  const none = defaultSizing(session.first)
  const slot = known ?? likely[0] ?? (count < 2 ? null : await slotByCount(session, nextTo))
  if (slot === null || endsRead(session, hints)) return none
  if (session.sender.left() === 0) return known === null ? none : { ...none, slot, pageSize: roundSize(session, count) }
  return largestPage(session, slot, known !== null || likely.length === 0)
}

/** A smaller first page that names no next one: `$top` may limit the whole read, and not each page of it. */
function endsRead({ first: { keys }, seen }: DetectionSession, { leadsOn }: SizeHints): boolean {
  return seen.some((page) => {
    const got = page.keys.length
    return got > 0 && got < keys.length && areEqual(page.keys, keys.slice(0, got)) && leadsOn?.(page) === false
  })
}

/** Each name requests a different number; how many records come shows which name has an effect. */
async function slotByCount(session: DetectionSession, nextTo: Slot | null): Promise<Slot | null> {
  const { question, style, first, sender } = session
  if (sender.left() < 2) return null
  if (session.isStrict === true && nextTo !== null) return oneOf(session, sizesNextTo(session, nextTo))
  const most = first.keys.length - 1
  const all = unique([...slotsFor('size', session), ...placesFor(question, looseSizeNames(style))])
  const slots =
    nextTo === null || variablesOf(question).length > 0
      ? all
      : unique([...neighbours(nextTo, session), ...all.filter(({ into }) => into === 'header')])
  const puts: Put[] = []
  for (const slot of slots.slice(0, mostAtOnce)) {
    const value = most >= 2 ? 1 + (puts.length % most) : 1
    if (puts.every((put) => goTogether(put.slot, slot) && slotKey(put.slot) !== slotKey(slot)))
      puts.push({ slot, value })
  }
  const probed = await sendProbe(session, 'Which name asks for the size of a page?', puts)
  if (probed !== null && probed.page === null && isRefused(probed.response))
    return afterRefusedNames(session, puts, probed)
  if (!probed?.page || areEqual(probed.page.keys, first.keys)) return null
  const got = probed.page.keys.length
  let left = puts.filter(({ value }) => value === got).map(({ slot }) => slot)
  // Few records leave few numbers: names that share one are separated by another request.
  while (left.length > 1 && sender.left() > 1) {
    const half = left.slice(0, Math.ceil(left.length / 4))
    const again = await sendProbe(
      session,
      'Which of them?',
      half.map((slot) => ({ slot, value: got })),
    )
    if (!again?.page) return null
    left = again.page.keys.length === got ? half : left.slice(half.length)
  }
  return left.length === 1 ? (left[0] as Slot) : null
}

/** One name that is not known has all of them refused: each is tried alone, first what the API names itself. */
async function afterRefusedNames(
  session: DetectionSession,
  puts: readonly Put[],
  { response }: Probed,
): Promise<Slot | null> {
  const sent = puts.map(({ slot }) => slot)
  const refusal = readRefusal(response, sent)
  const offered = placesFor(session.question, refusal.offered).filter((slot) => isSlotOf('size', slot))
  const rest = refusal.offered.length > 0 ? [] : sent.filter((slot) => !refusal.unknown.includes(slot))
  const sizes: TakenSizes = new Map()
  learnSizes(sizes, response, puts)
  return oneOf(session, unique([...refusal.known, ...offered, ...passedBefore(sent, refusal), ...rest]), sizes)
}

/** Each alone, in a request of its own. */
async function oneOf(
  session: DetectionSession,
  slots: readonly Slot[],
  sizes: TakenSizes = new Map(),
): Promise<Slot | null> {
  const count = session.first.keys.length
  for (const slot of slots.slice(0, mostAlone)) {
    // One request is left for the largest page.
    if (session.sender.left() < 2) return null
    const value = sizeToAsk(sizes, slot, count, count - 1)
    if (value === null) continue
    const puts: Put[] = [{ slot, value }]
    const probed = await sendProbe(session, `Does ${slotName(slot)} ask for the size of a page?`, puts)
    if (probed?.page && probed.page.keys.length === value) return slot
    // A value that is not taken is one of a parameter that is known.
    if (probed !== null) learnSizes(sizes, probed.response, puts)
    if ((sizes.get(slotKey(slot)) ?? []).length > 0) return slot
  }
  return null
}

const mostAlone = 6

/** `page.cursor` → `page.size`; `X-Cursor` → `X-Limit`, which are among the usual headers. */
function neighbours({ into, path }: Slot, { hints, style }: DetectionSession): Slot[] {
  if (into === 'header') return []
  const hinted = hints.filter((name) => isNameOf('size', name))
  const some = [...hinted, ...styledNames('size', style), ...looseSizeNames(style)]
  return some.map((name) => ({ into, path: [...path.slice(0, -1), name] }))
}

async function largestPage(session: DetectionSession, slot: Slot, isSure: boolean): Promise<Sizing> {
  const { first } = session
  const count = first.keys.length
  const asked = count <= 50 ? 100 : Math.min(1_000, count * 2)
  const plain: Sizing = { slot, pageSize: roundSize(session, count), cap: null, evidence: [], largest: null }
  const unsure: Sizing = { ...plain, slot: isSure ? slot : null }
  if (asked <= count) return plain
  const probed = await sendProbe(session, 'How many records at most?', [{ slot, value: asked }])
  if (probed === null) return unsure
  if (probed.page === null) return afterRefusal(session, slot, probed, asked, unsure)
  const got = probed.page.keys.length
  // The first response was everything, and pages are smaller: as many as came here is a size that is taken.
  if (got > 1 && got < count && areEqual(probed.page.keys, first.keys.slice(0, got)))
    return { ...unsure, pageSize: unsure.slot === null ? plain.pageSize : got }
  if (got <= count || got > asked || !areEqual(probed.page.keys.slice(0, count), first.keys)) {
    return { ...unsure, largest: got === count ? probed : null }
  }
  const evidence = [`${slotName(slot)}=${asked} gave ${number(got)} records`]
  if (got === asked) return { slot, pageSize: asked, cap: null, evidence, largest: probed }
  // It gave fewer: there are no more, or it gives no more. So many it gives in either case.
  const isCap = saysMore(probed.page, session.layout)
  return { slot, pageSize: isCap ? got : roundSize(session, got), cap: isCap ? got : null, evidence, largest: probed }
}

/**
 * A round number that is known to be given. Where all there is would fill its pages, another: a page that is cut short says
 * that it was the last, and nothing is asked past the end.
 */
function roundSize({ first, layout }: DetectionSession, most: number): number {
  const [total] = namedTotals(first, layout)
  const isAll = total === most
  const fits = (one: number) => one <= most && (isAll ? most % one !== 0 : one >= first.keys.length)
  return roundSizes.find(fits) ?? most
}

const roundSizes = [1_000, 500, 250, 200, 100, 50, 25, 20, 10, 7, 3, 2]

/** `limit must be at most 50`: the number is worth one more request. */
async function afterRefusal(
  session: DetectionSession,
  slot: Slot,
  { response }: Probed,
  asked: number,
  unsure: Sizing,
): Promise<Sizing> {
  const count = session.first.keys.length
  if (!isRefused(response)) return unsure
  const named = (response.message?.match(/\d+/g) ?? []).map(Number).filter((one) => one > count && one < asked)
  const said = `${slotName(slot)}=${asked} is refused`
  const refused = { ...unsure, evidence: [said] }
  if (named.length === 0 || session.sender.left() === 0) return refused
  const most = Math.max(...named)
  const probed = await sendProbe(session, `Are ${most} taken, as the refusal says?`, [{ slot, value: most }])
  const got = probed?.page?.keys ?? []
  if (got.length <= count || isNew(got, session.first.keys)) return refused
  const pageSize = got.length === most ? most : roundSize(session, got.length)
  return { slot, pageSize, cap: most, evidence: [`${said}; ${most} are not`], largest: probed }
}
