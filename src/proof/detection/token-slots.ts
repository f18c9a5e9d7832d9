/** A token and its name → the places it may go into, the most likely first. */
import { plainName, wordsOf } from '../names/name-words.ts'
import { isNameOf, rankOf } from '../names/paging-names.ts'
import { headerNamesOf, namesOf } from './names-to-try.ts'
import type { Pointer } from './pointers.ts'
import type { Slot } from './question.ts'
import {
  givenSlots,
  isGraphql,
  placesFor,
  slotOf,
  type SlotSource,
  unique,
  variableSlots,
  variablesOf,
} from './slots.ts'

export function slotsForToken(source: SlotSource, pointer: Pointer): Slot[] {
  const { question } = source
  const { path, from } = pointer
  const declared = variablesOf(question)
  if (declared.length > 0) {
    const texts = declared.filter(({ type }) => isNumber(pointer) || type !== 'Int').map(slotOf)
    return unique([...variableSlots('cursor', question), ...texts])
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
  const all = namesOf('cursor', style)
  const own = ownNames(pointer.path)
  const stems = new Set(own.map(plainName))
  const alike = all.filter((name) => stems.has(plainName(name)))
  // `next_cursor` where a page ends is `start_cursor` where the next one begins.
  const starts = stems.has('cursor') ? all.filter((name) => plainName(name) === 'startcursor') : []
  const relay = isGraphql(question) || (words.includes('end') && words.includes('cursor')) ? ['after'] : []
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
  const [pages, offsets] = [namesOf('page', style), namesOf('offset', style)]
  const isOffset = words.some((word) => /^(offset|skip|start)$/.test(word))
  return isOffset ? [...offsets.slice(0, 8), ...pages.slice(0, 4)] : [...pages.slice(0, 8), ...offsets.slice(0, 4)]
}

const numeric = new Set(['page', 'offset', 'start', 'since', 'from', 'position', 'pageid'])

/** A text sent as `page` or `offset` would be refused, unless the API itself calls its token so. */
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
