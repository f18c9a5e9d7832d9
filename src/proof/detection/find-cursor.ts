/** A token in a response → the parameter that takes it, found by trying. */
import { isNew, type ProbedPage } from './probed-pages.ts'
import { isSamePointer, type Pointer, pointersIn } from './pointers.ts'
import {
  fixedNames,
  goTogether,
  mostAtOnce,
  type Put,
  type Slot,
  slotName,
  type SlotValue,
  withoutQuery,
} from './probe-request.ts'
import { isRefused, passedBefore, readRefusal } from './refusals.ts'
import {
  placesFor,
  unique,
  givenSlots,
  isGraphql,
  slotOf,
  type SlotSource,
  variableSlots,
  variablesOf,
} from './slots.ts'
import { type Probed, sendProbe, type DetectionSession } from './detection-session.ts'
import { plainName, wordsOf } from '../names/name-style.ts'
import { isNameOf, rankOf, headerNamesOf, styledNames } from '../names/paging-names.ts'

/** A long token leaves room for few names in a URL. */
const longestAddress = 6_000

type Putting = (some: readonly Slot[], token: SlotValue) => Put[]

/** `firstOnly`: query parameters that are refused next to the token. */
type CursorSlot = { readonly slot: Slot; readonly firstOnly: readonly string[] }

/** `from`: the page that has the token; `sent`: what else was sent for it. */
export async function findCursorSlot(
  session: DetectionSession,
  pointer: Pointer & { readonly value: SlotValue },
  from: ProbedPage,
  sent: readonly Put[],
): Promise<CursorSlot | null> {
  const found = (slot: Slot | null): CursorSlot | null => (slot === null ? null : { slot, firstOnly: [] })
  const { value } = pointer
  const puts: Putting = (some, token) => [...sent, ...some.map((slot) => ({ slot, value: token }))]
  let slots: readonly Slot[] = slotsForToken(session, pointer)
  let isStrict = false
  for (let tries = 0; slots.length > 0 && session.sender.left() > 0; tries++) {
    const some: readonly Slot[] = isStrict || tries === 0 ? slots.slice(0, 1) : together(slots, String(value).length)
    const probed = await sendProbe(session, whyAsked(some, pointer), puts(some, value))
    if (probed === null) return null
    const second = movedTo(probed, from)
    if (second !== null)
      return found(some.length === 1 ? (some[0] as Slot) : await narrow(session, pointer, some, second, puts))
    const rest = slots.filter((slot) => !some.includes(slot))
    if (probed.page !== null || !isRefused(probed.response)) {
      slots = rest
      continue
    }
    const learned = afterRefusal(session, probed, some, slots)
    const firstOnly = fixedNames(session.question)
    // Its own name, refused: the token may stand for all other parameters.
    if (tries === 0 && firstOnly.length > 0) {
      const alone = { ...session, question: withoutQuery(session.question, firstOnly) }
      const again = await sendProbe(alone, `Does ${slotName(some[0] as Slot)} take it, alone?`, puts(some, value))
      if (again !== null && movedTo(again, from) !== null) return { slot: some[0] as Slot, firstOnly }
    }
    slots = learned.slots
    isStrict ||= learned.isStrict
  }
  return null
}

function whyAsked(some: readonly Slot[], { path }: Pointer): string {
  const [only] = some
  return some.length === 1 && only !== undefined
    ? `Does ${slotName(only)} take the value at ${path.join('.')}?`
    : `Does any of ${some.length} names take it?`
}

function movedTo({ page }: Probed, from: ProbedPage): ProbedPage | null {
  return page !== null && isNew(page.keys, from.keys) ? page : null
}

/** What is left to try once some were refused, and whether one at a time from now on. */
function afterRefusal(
  session: DetectionSession,
  { response }: Probed,
  some: readonly Slot[],
  slots: readonly Slot[],
): { slots: Slot[]; isStrict: boolean } {
  const refusal = readRefusal(response, slots)
  const { unknown, known, offered } = refusal
  const isOut = (slot: Slot) =>
    unknown.includes(slot) || (known.includes(slot) && some.includes(slot)) || (some.length === 1 && slot === some[0])
  const passed = passedBefore(some, refusal)
  return {
    slots: unique([...placesFor(session.question, offered), ...passed, ...slots]).filter((slot) => !isOut(slot)),
    isStrict: unknown.length > 0 || offered.length > 0 || (known.length === 0 && some.length > 1),
  }
}

/** One of them works: groups that get one token, another token and none come out on three different pages. */
async function narrow(
  session: DetectionSession,
  pointer: Pointer & { readonly value: SlotValue },
  found: readonly Slot[],
  second: ProbedPage,
  puts: Putting,
): Promise<Slot | null> {
  const other = pointerAgain(session, pointer, second)
  const isSecond = ({ page }: Probed) => page !== null && page.keys[0] === second.keys[0]
  let slots = found
  while (slots.length > 1) {
    const groups = split(slots, other !== null)
    const values = groups.second.flatMap((slot): Put[] => (other === null ? [] : [{ slot, value: other }]))
    const why = `Is it ${slotName(groups.first[0] as Slot)}?`
    const probed = await sendProbe(session, why, [...puts(groups.first, pointer.value), ...values])
    if (!probed?.page) return null
    const isThird = isNew(probed.page.keys, [...session.first.keys, ...second.keys])
    slots = isSecond(probed) ? groups.first : isThird && other !== null ? groups.second : groups.rest
    // Alone with a token that led on, it is shown; what is left over because others did not lead on is not.
    if (slots !== groups.rest && slots.length === 1) return slots[0] as Slot
  }
  const [slot] = slots
  if (slot === undefined) return null
  const alone = await sendProbe(session, `Is it ${slotName(slot)}, alone?`, puts([slot], pointer.value))
  return alone !== null && isSecond(alone) ? slot : null
}

/** The value at the same place of the next page. */
function pointerAgain({ layout }: DetectionSession, pointer: Pointer, { response }: ProbedPage): SlotValue | null {
  const again = pointersIn(response.body, response.headers, layout.path, response.url)
  const found = again.find((one) => isSamePointer(one, pointer))?.value ?? null
  // The same value again would separate nothing.
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

/** A token and its name → the places it may go into, the most likely first. */
function slotsForToken(source: SlotSource, pointer: Pointer): Slot[] {
  const { question } = source
  const { path, from } = pointer
  const declared = variablesOf(question)
  if (declared.length > 0) {
    const strings = declared.filter(({ type }) => isNumber(pointer) || type !== 'Int').map(slotOf)
    return unique([...variableSlots('cursor', question), ...strings])
  }
  const names = tokenNames(source, pointer)
  const given = givenSlots(question).filter(
    (slot) => isNameOf('cursor', slot.path.at(-1) ?? '') && fits(pointer, slot.path.at(-1) ?? ''),
  )
  const holder = path.at(-2)
  const isNested = question.json !== undefined && !isGraphql(question) && holder !== undefined && from === 'body'
  // `page.next_cursor` comes back as `page.cursor` as often as not.
  const nested = (some: readonly string[]) =>
    isNested ? some.map((name): Slot => ({ into: 'body_json', path: [holder, name] })) : []
  const own = from === 'header' ? [path[0] ?? '', (path[0] ?? '').replace(/next-?/i, '')] : []
  const inHeaders = [...own, ...headerNamesOf('cursor')].map((name): Slot => ({ into: 'header', path: [name] }))
  const [top, others] = [names.slice(0, 1), names.slice(1)]
  const isNamedSo = from === 'header' && /^x-ms-/i.test(path[0] ?? '')
  return unique([
    ...given,
    ...(isNamedSo ? inHeaders.slice(0, 1) : []),
    ...nested(top),
    ...placesFor(question, top),
    ...(from === 'header' ? inHeaders.slice(0, 1) : []),
    ...placesFor(question, others.slice(0, 30)),
    ...inHeaders,
    ...nested(others.slice(0, 12)),
    ...placesFor(question, others.slice(30)),
  ])
}

/** Names made from that of the token come first: `next_cursor` → `cursor`. */
function tokenNames({ question, hints, style }: SlotSource, pointer: Pointer): string[] {
  const words = pointer.path.flatMap(wordsOf)
  const all = styledNames('cursor', style)
  const own = ownNames(pointer.path)
  const stems = new Set(own.map(plainName))
  const alike = all.filter((name) => stems.has(plainName(name)))
  // `next_cursor` where a page ends is `start_cursor` where the next one begins.
  const starts = stems.has('cursor') ? all.filter((name) => plainName(name) === 'startcursor') : []
  const isRelay = pointer.isOfLast === true || (words.includes('end') && words.includes('cursor'))
  const relay = isGraphql(question) || isRelay ? ['after'] : []
  const hinted = hints
    .filter((name) => isNameOf('cursor', name) && fits(pointer, name))
    .toSorted((one, other) => rankOf('cursor', one) - rankOf('cursor', other))
  const numbered = isNumber(pointer) ? numberNames(words, style) : []
  const others = all.filter((name) => fits(pointer, name))
  // A cursor that happens to be a number is hardly the number of a page.
  const isCursor = words.some((word) => /cursor|token|marker|after/.test(word))
  const rest = isCursor ? [...others, ...numbered] : [...numbered, ...others]
  const first = starts.length === 0 ? [] : alike.slice(0, 1)
  return [...new Set([...hinted, ...relay, ...first, ...starts, ...alike, ...own, ...rest])]
}

function numberNames(words: readonly string[], style: SlotSource['style']): string[] {
  const [pages, offsets] = [styledNames('page', style), styledNames('offset', style)]
  const isOffset = words.some((word) => /^(offset|skip|start)$/.test(word))
  return isOffset ? [...offsets.slice(0, 8), ...pages.slice(0, 4)] : [...pages.slice(0, 8), ...offsets.slice(0, 4)]
}

const numeric = new Set(['page', 'offset', 'start', 'since', 'from', 'position', 'pageid'])

/** A string sent as `page` or `offset` would be refused, unless the API gives its token that name. */
function fits(pointer: Pointer, name: string): boolean {
  return isNumber(pointer) || !numeric.has(plainName(name)) || pointer.path.flatMap(wordsOf).includes(plainName(name))
}

function isNumber({ value }: Pointer): boolean {
  return typeof value !== 'string' || /^\d{1,9}$/.test(value)
}

/** `nextPageToken` → `pageToken`, `nextPageToken`; `cursor.next` → `cursor`. */
function ownNames(path: readonly string[]): string[] {
  const last = path.at(-1) ?? ''
  const name = /^next$/i.test(last) && isNameOf('cursor', path.at(-2) ?? '') ? (path.at(-2) as string) : last
  const plain = name.replace(/^x-(ms-)?/i, '').replace(/^pagination-/i, '')
  const bare = plain.replace(/^(next|end|new)[_-]?/i, '')
  const lowered = bare.charAt(0).toLowerCase() + bare.slice(1)
  const some = name.includes('-') ? [wordsOf(bare).join('_')] : [lowered, bare, name]
  return [...new Set(some.filter((one) => one !== '' && !/[@.]/.test(one)))]
}
