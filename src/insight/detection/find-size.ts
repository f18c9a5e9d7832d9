/** How many records a page may have: which parameter says it, and the most that the API gives. */
import { number } from '../../words.ts'
import { areEqual, isNew } from './pages.ts'
import { goTogether, type Put, type Slot, slotKey, slotName } from './question.ts'
import { isRefused } from './refusals.ts'
import { isNameOf, placesIn, slotsFor, unique } from './slots.ts'
import { type Probed, probe, type Walk } from './walk.ts'
import { hintedSizes, names } from './paging-names.ts'

export type Sizing = {
  /** Null where no parameter was seen to have an effect. */
  readonly slot: Slot | null
  /** Records a page as far as it is known to hold. */
  readonly pageSize: number
  readonly cap: number | null
  readonly evidence: readonly string[]
  /** The answer to the largest page, which may be the last one too. */
  readonly largest: Probed | null
}

export type SizeHints = {
  /** A parameter that was seen to work. */
  readonly known: Slot | null
  /** Names found in links, with the size of the page as their value. */
  readonly likely: readonly Slot[]
  /** Where the token goes: the size is asked for in the same place. */
  readonly beside: Slot | null
}

export async function findSize(walk: Walk, { known, likely, beside }: SizeHints): Promise<Sizing> {
  const count = walk.first.keys.length
  const none: Sizing = { slot: null, pageSize: count, cap: null, evidence: [], largest: null }
  const slot = known ?? likely[0] ?? (count < 2 ? null : await slotByCount(walk, beside))
  if (slot === null) return none
  if (walk.asking.left() === 0) return known === null ? none : { ...none, slot }
  return largestPage(walk, slot, known !== null || likely.length === 0)
}

/** Each name asks for a number of its own; how many come tells which of them counted. */
async function slotByCount(walk: Walk, beside: Slot | null): Promise<Slot | null> {
  const { question, hints, first, asking } = walk
  if (asking.left() < 2) return null
  const most = first.keys.length - 1
  const all = unique([...slotsFor('size', question, hints), ...placesIn(question, hintedSizes)])
  const slots =
    beside === null ? all : unique([...neighbours(beside, hints), ...all.filter(({ into }) => into === 'header')])
  const puts: Put[] = []
  for (const slot of slots.slice(0, 44)) {
    const value = most >= 2 ? 1 + (puts.length % most) : 1
    if (puts.every((put) => goTogether(put.slot, slot) && slotKey(put.slot) !== slotKey(slot)))
      puts.push({ slot, value })
  }
  const probed = await probe(walk, 'Which name asks for the size of a page?', puts)
  if (!probed?.page || areEqual(probed.page.keys, first.keys)) return null
  const got = probed.page.keys.length
  let left = puts.filter(({ value }) => value === got).map(({ slot }) => slot)
  // Few records leave few numbers: names that share one are told apart by asking again.
  while (left.length > 1 && asking.left() > 1) {
    const half = left.slice(0, Math.ceil(left.length / 4))
    const again = await probe(
      walk,
      'Which of them?',
      half.map((slot) => ({ slot, value: got })),
    )
    if (!again?.page) return null
    left = again.page.keys.length === got ? half : left.slice(half.length)
  }
  return left.length === 1 ? (left[0] as Slot) : null
}

/** `page.cursor` → `page.size`; `X-Cursor` → `X-Limit`, which are among the usual headers. */
function neighbours({ into, path }: Slot, hints: readonly string[]): Slot[] {
  if (into === 'header') return []
  const hinted = hints.filter((name) => isNameOf('size', name))
  return [...hinted, ...names.size, ...hintedSizes].map((name) => ({ into, path: [...path.slice(0, -1), name] }))
}

async function largestPage(walk: Walk, slot: Slot, isSure: boolean): Promise<Sizing> {
  const { first } = walk
  const count = first.keys.length
  const asked = count <= 50 ? 100 : Math.min(1_000, count * 2)
  const name = slotName(slot)
  const plain: Sizing = { slot, pageSize: count, cap: null, evidence: [], largest: null }
  if (asked <= count) return plain
  const probed = await probe(walk, `How many records at most?`, [{ slot, value: asked }])
  if (probed === null) return isSure ? plain : { ...plain, slot: null }
  if (probed.page === null) return await afterRefusal(walk, slot, probed, asked, isSure)
  const got = probed.page.keys.length
  if (got < count || !areEqual(probed.page.keys.slice(0, count), first.keys))
    return isSure ? plain : { ...plain, slot: null }
  if (got === count) return { ...plain, slot: isSure ? slot : null, largest: probed }
  const said = `${name}=${asked} gave ${number(got)} records`
  if (got === asked) return { slot, pageSize: asked, cap: null, evidence: [said], largest: probed }
  if (got > asked) return { ...plain, slot: null }
  // It gave fewer: there are no more, or it gives no more. So many it gives in either case.
  return { slot, pageSize: got, cap: got, evidence: [said], largest: probed }
}

/** `limit must be at most 50`: the number is worth one more request. */
async function afterRefusal(
  walk: Walk,
  slot: Slot,
  { answer }: Probed,
  asked: number,
  isSure: boolean,
): Promise<Sizing> {
  const count = walk.first.keys.length
  const plain: Sizing = { slot: isSure ? slot : null, pageSize: count, cap: null, evidence: [], largest: null }
  if (!isRefused(answer)) return plain
  const named = (answer.message?.match(/\d+/g) ?? []).map(Number).filter((one) => one > count && one < asked)
  const most = named.length === 0 ? null : Math.max(...named)
  const said = `${slotName(slot)}=${asked} is refused`
  if (most === null || walk.asking.left() === 0) return { ...plain, slot, evidence: [said] }
  const probed = await probe(walk, `Are ${most} taken, as the refusal says?`, [{ slot, value: most }])
  const got = probed?.page?.keys ?? []
  if (got.length < count || isNew(got, walk.first.keys)) return { ...plain, slot, evidence: [said] }
  return { slot, pageSize: got.length, cap: most, evidence: [`${said}; ${most} are not`], largest: probed }
}
