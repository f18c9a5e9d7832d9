/** A token that an answer holds → the parameter it goes into, found by sending it there. */
import { isNew, type Shown } from './pages.ts'
import { isSamePointer, type Pointer, pointersIn } from './pointers.ts'
import { goTogether, mostAtOnce, type Put, type Slot, slotName, type Value } from './question.ts'
import { isRefused, passedBefore, readRefusal } from './refusals.ts'
import { placesFor, unique } from './slots.ts'
import { slotsForToken } from './token-slots.ts'
import { type Probed, probe, type Walk } from './walk.ts'

/** A long token leaves room for few in an address. */
const longestAddress = 6_000

type Putting = (some: readonly Slot[], token: Value) => Put[]

/** `from`: the page that holds the token; `sent`: what was sent for it besides. */
export async function findCursorSlot(
  walk: Walk,
  pointer: Pointer & { readonly value: Value },
  from: Shown,
  sent: readonly Put[],
): Promise<Slot | null> {
  const { value } = pointer
  const puts: Putting = (some, token) => [...sent, ...some.map((slot) => ({ slot, value: token }))]
  let slots: readonly Slot[] = slotsForToken(walk, pointer)
  let isStrict = false
  for (let tries = 0; slots.length > 0 && walk.asking.left() > 0; tries++) {
    const some: readonly Slot[] = isStrict || tries === 0 ? slots.slice(0, 1) : together(slots, String(value).length)
    const probed = await probe(walk, whyAsked(some, pointer), puts(some, value))
    if (probed === null) return null
    const second = movedTo(probed, from)
    if (second !== null) return some.length === 1 ? (some[0] as Slot) : narrow(walk, pointer, some, second, puts)
    const rest = slots.filter((slot) => !some.includes(slot))
    if (probed.page !== null || !isRefused(probed.answer)) {
      slots = rest
      continue
    }
    const learned = afterRefusal(walk, probed, some, slots)
    slots = learned.slots
    isStrict ||= learned.isStrict
  }
  return null
}

function whyAsked(some: readonly Slot[], { path }: Pointer): string {
  const [only] = some
  return some.length === 1 && only !== undefined
    ? `Does ${slotName(only)} take what stands at ${path.join('.')}?`
    : `Does any of ${some.length} names take it?`
}

function movedTo({ page }: Probed, from: Shown): Shown | null {
  return page !== null && isNew(page.keys, from.keys) ? page : null
}

/** What is left to try once some were refused, and whether one at a time from now on. */
function afterRefusal(
  walk: Walk,
  { answer }: Probed,
  some: readonly Slot[],
  slots: readonly Slot[],
): { slots: Slot[]; isStrict: boolean } {
  const refusal = readRefusal(answer, slots)
  const { unknown, known, offered } = refusal
  const isOut = (slot: Slot) =>
    unknown.includes(slot) || (known.includes(slot) && some.includes(slot)) || (some.length === 1 && slot === some[0])
  const passed = passedBefore(some, refusal)
  return {
    slots: unique([...placesFor(walk.question, offered), ...passed, ...slots]).filter((slot) => !isOut(slot)),
    isStrict: unknown.length > 0 || offered.length > 0 || (known.length === 0 && some.length > 1),
  }
}

/** One of them works: groups that get one token, another token and none come out on three different pages. */
async function narrow(
  walk: Walk,
  pointer: Pointer & { readonly value: Value },
  found: readonly Slot[],
  second: Shown,
  puts: Putting,
): Promise<Slot | null> {
  const other = pointerAgain(walk, pointer, second)
  const isSecond = ({ page }: Probed) => page !== null && page.keys[0] === second.keys[0]
  let slots = found
  while (slots.length > 1) {
    const groups = split(slots, other !== null)
    const values = groups.second.flatMap((slot): Put[] => (other === null ? [] : [{ slot, value: other }]))
    const why = `Is it ${slotName(groups.first[0] as Slot)}?`
    const probed = await probe(walk, why, [...puts(groups.first, pointer.value), ...values])
    if (!probed?.page) return null
    const isThird = isNew(probed.page.keys, [...walk.first.keys, ...second.keys])
    slots = isSecond(probed) ? groups.first : isThird && other !== null ? groups.second : groups.rest
    // Alone with a token that led on, it is shown; what is left over because others did not lead on is not.
    if (slots !== groups.rest && slots.length === 1) return slots[0] as Slot
  }
  const [slot] = slots
  if (slot === undefined) return null
  const alone = await probe(walk, `Is it ${slotName(slot)}, alone?`, puts([slot], pointer.value))
  return alone !== null && isSecond(alone) ? slot : null
}

/** What stands in the same place on the page after. */
function pointerAgain({ reading }: Walk, pointer: Pointer, { answer }: Shown): Value | null {
  const again = pointersIn(answer.body, answer.headers, reading.path, answer.url)
  const found = again.find((one) => isSamePointer(one, pointer))?.value ?? null
  // The same again would tell nothing apart.
  return found === pointer.value ? null : found
}

/** Few likely ones, and many that are not: a third of them weighs as much as the rest. */
function split(slots: readonly Slot[], hasOther: boolean) {
  const first = Math.max(1, Math.floor(slots.length / 6))
  const second = hasOther ? Math.max(first + 1, Math.ceil(slots.length / 2)) : first
  return { first: slots.slice(0, first), second: slots.slice(first, second), rest: slots.slice(second) }
}

/** As many as one request can hold. */
function together(slots: readonly Slot[], length: number): Slot[] {
  const chosen: Slot[] = []
  const room = Math.max(2, Math.min(mostAtOnce, Math.floor(longestAddress / (length + 12))))
  for (const slot of slots) {
    if (chosen.length < room && chosen.every((other) => goTogether(slot, other))) chosen.push(slot)
  }
  return chosen
}
