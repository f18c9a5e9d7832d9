/** A token that an answer holds → the parameter it goes into, found by sending it there. */
import { isNew, type Shown } from './pages.ts'
import { names } from './paging-names.ts'
import type { Pointer } from './pointers.ts'
import { pointersIn } from './pointers.ts'
import { goTogether, type Put, type Slot, slotKey, slotName, type Value } from './question.ts'
import { isRefused, readRefusal } from './refusals.ts'
import { isGraphql, placesIn, slotsFor, unique } from './slots.ts'
import { type Probed, probe, type Walk } from './walk.ts'
import { wordsOf } from './words.ts'
import { headerNames } from './paging-names.ts'

export type FoundCursor = {
  readonly slot: Slot
  /** The page that the token led to. */
  readonly second: Shown
}

/** Most names at once; a long token leaves room for few in an address. */
const mostAtOnce = 44
const longestAddress = 6_000

/** `from`: the page that holds the token; `sent`: what was sent for it besides. */
export async function findCursorSlot(
  walk: Walk,
  pointer: Pointer & { readonly value: Value },
  from: Shown,
  sent: readonly Put[],
): Promise<FoundCursor | null> {
  const { value } = pointer
  let slots = slotsForToken(walk, pointer)
  const puts = (some: readonly Slot[], token = value): Put[] => [
    ...sent,
    ...some.map((slot) => ({ slot, value: token })),
  ]
  const moved = (probed: Probed | null): Shown | null =>
    probed?.page && isNew(probed.page.keys, from.keys) ? probed.page : null

  let isStrict = false
  for (let tries = 0; slots.length > 0 && walk.asking.left() > 1; tries++) {
    const isSingle: boolean = isStrict || tries === 0
    const some: readonly Slot[] = isSingle ? slots.slice(0, 1) : together(slots, String(value).length)
    const why = isSingle
      ? `Does ${slotName(some[0] as Slot)} take the token at ${pointer.path.join('.')}?`
      : `Does any of ${some.length} names take it?`
    const probed = await probe(walk, why, puts(some))
    if (probed === null) return null
    const second = moved(probed)
    if (second !== null) return isSingle ? { slot: some[0] as Slot, second } : narrow(walk, pointer, some, second, puts)
    const rest = slots.filter((slot) => !some.includes(slot))
    if (probed.page === null && isRefused(probed.answer)) {
      const { unknown, known, offered } = readRefusal(probed.answer, some)
      const isAnyLeft = some.length > 1 && (known.length > 0 || unknown.length > 1)
      const left = known.length > 0 ? known : some.filter((slot) => !unknown.includes(slot))
      isStrict = isStrict || unknown.length > 0 || offered.length > 0 || some.length > 1
      slots = unique([
        ...placesIn(walk.question, offered),
        ...(isAnyLeft ? left : isSingle ? [] : some.slice(1)),
        ...rest,
      ])
      continue
    }
    slots = rest
  }
  return null
}

/** One of them works: groups that get one token, another token and none come out on three different pages. */
async function narrow(
  walk: Walk,
  pointer: Pointer,
  found: readonly Slot[],
  second: Shown,
  puts: (some: readonly Slot[], token?: Value) => Put[],
): Promise<FoundCursor | null> {
  const { answer } = second
  const again = pointersIn(answer.body, answer.headers, walk.reading.path, answer.url)
  const other =
    again.find(({ path, from }) => from === pointer.from && path.join() === pointer.path.join())?.value ?? null
  let slots = found
  while (slots.length > 1) {
    // The likeliest alone, half of the others with the other token, the rest without any.
    const half = other === null ? 0 : Math.ceil((slots.length - 1) / 2)
    const [one, two, three] =
      other === null ? halves(slots) : [slots.slice(0, 1), slots.slice(1, 1 + half), slots.slice(1 + half)]
    const values = [...puts(one), ...(other === null ? [] : puts(two, other).slice(puts([]).length))]
    const probed = await probe(walk, `Is it ${slotName(one[0] as Slot)}?`, values)
    if (!probed?.page) return null
    const isSecond = probed.page.keys[0] === second.keys[0]
    const isThird = isNew(probed.page.keys, [...walk.first.keys, ...second.keys])
    slots = isSecond ? one : isThird && other !== null ? two : three
  }
  const [slot] = slots
  return slot === undefined ? null : { slot, second }
}

function halves(slots: readonly Slot[]): [readonly Slot[], readonly Slot[], readonly Slot[]] {
  const middle = Math.max(1, Math.floor(slots.length / 3))
  return [slots.slice(0, middle), [], slots.slice(middle)]
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

/** Names made from that of the token come first: `next_cursor` → `cursor`. */
function slotsForToken(walk: Walk, { path, from, value }: Pointer): Slot[] {
  const { question, hints } = walk
  const last = path.at(-1) ?? ''
  const words = path.flatMap(wordsOf)
  const isNumber = typeof value === 'number' || /^\d{1,9}$/.test(String(value))
  const own = ownNames(last)
  const numbered = !isNumber
    ? []
    : [
        ...(words.includes('page') ? names.page : []),
        ...(/offset|start|skip/.test(words.join(' ')) ? names.offset : []),
        ...names.page.slice(0, 6),
        ...names.offset.slice(0, 6),
      ]
  const isFit = (name: string) => isNumber || !numericOnly.has(name) || words.includes(name)
  const hinted = hints.filter(
    (name) =>
      /cursor|token|after|marker|continuation|scroll|bookmark/i.test(name) ||
      (isNumber && /page|offset|skip|start/i.test(name) && !/size|per|limit|total|count/i.test(name)),
  )
  const relay = isGraphql(question) || words.includes('end') ? ['after'] : []
  const some = [...relay, ...own.slice(0, 1), ...hinted, ...own.slice(1), ...numbered, ...names.cursor.filter(isFit)]
  const holder = path.at(-2)
  const nested =
    question.json !== undefined && !isGraphql(question) && holder !== undefined && from === 'body'
      ? some.map((name): Slot => ({ into: 'body_json', path: [holder, name] }))
      : []
  const inHeaders: Slot[] = [
    ...(from === 'header' ? [last, last.replace(/next-?/i, '')] : []),
    ...headerNames.cursor,
  ].map((name) => ({ into: 'header', path: [name] }))
  const flat = placesIn(question, some)
  const given = slotsFor('cursor', question, []).filter((slot) => isInRequest(walk, slot))
  return unique([
    ...given,
    ...nested.slice(0, 6),
    ...flat.slice(0, 34),
    ...inHeaders,
    ...nested.slice(6),
    ...flat.slice(34),
  ])
}

const numericOnly = new Set([
  'page',
  'offset',
  'start',
  'since',
  'from',
  'position',
  'next',
  'last_id',
  'lastId',
  'after_id',
  'page_id',
  'pageId',
])

function isInRequest({ question: { query, json, form } }: Walk, slot: Slot): boolean {
  const name = slot.path[0] as string
  if (slot.into === 'request_parameter') return query.some(([known]) => known === name)
  if (slot.into === 'body_data') return (form ?? []).some(([known]) => known === name)
  return (
    slot.into === 'body_json' &&
    slotKey(slot) !== '' &&
    typeof json === 'object' &&
    json !== null &&
    name in json &&
    slot.path.length > 1
  )
}

/** `nextPageToken` → `pageToken`, `nextPageToken`; `endCursor` → `cursor`. */
function ownNames(name: string): string[] {
  const bare = name.replace(/^x-/i, '').replace(/^(next|end|new)[_-]?/i, '')
  const lowered = bare.charAt(0).toLowerCase() + bare.slice(1)
  const snake = wordsOf(bare).join('_')
  return [...new Set([lowered, snake, name].filter((one) => one !== '' && !/[@.]/.test(one)))]
}
