/**
 * A long YAML text → its events, part by part: between two parts the caller may do something else, and the events of a part may
 * be forgotten when the next comes. A part is some members of a block collection, in lines of their own.
 */
import { COLLECTION_STYLE, type Event, EVENT_ID, parseEvents } from 'js-yaml'

/** Far beyond any manifest (the deepest of 332 real ones has 46 levels), far below what would exhaust the stack. */
export const maxDepth = 256

/** Lines that mean something to the document as a whole. */
export const documentMarks = /^(?:---|\.\.\.|%|\uFEFF)/m

/** So much is read in a few milliseconds. */
export const longestPart = 20_000

export type EventParts<Result = void> = Generator<readonly Event[], Result>

/**
 * All together the events that `parseEvents` gives for the whole text. Throws where a part cannot be read, or may mean something
 * else alone than in the whole: the whole may be readable all the same.
 */
export function* eventsInParts(text: string, longest = longestPart): EventParts {
  const head = headOf(text)
  if (documentMarks.test(text.slice(head.length)) || /\0|\r(?!\n)/.test(text)) refuse()
  yield [(head === '' ? undefined : parseEvents(head, { maxDepth })[0]) ?? documentStart]
  yield* blockEvents(text, { from: head.length, to: text.length, level: 0 }, longest)
  yield [closing]
}

/** Directives and the line `---`. Directives say what tags mean, and of those that need them none can be read here. */
function headOf(text: string): string {
  return /^(?:(?: *(?:#.*)?|%.*)\r?\n)*---(?: +#.*| *)\r?\n/.exec(text)?.[0] ?? ''
}

export const documentStart: Event = {
  type: EVENT_ID.DOCUMENT,
  explicitStart: false,
  explicitEnd: false,
  directives: [],
}

/** Of a collection, or of the document. */
export const closing: Event = { type: EVENT_ID.POP }

function refuse(): never {
  throw new Error('The text cannot be read in parts.')
}

/** The lines of a collection, and how many collections it is in. */
type Lines = { readonly from: number; readonly to: number; readonly level: number }

/** How the members of a block collection are written: behind so many spaces, with a dash or a key. */
type Layout = { readonly column: number; readonly isList: boolean; readonly level: number }

function* blockEvents(text: string, { from, to, level }: Lines, longest: number): EventParts {
  const start = firstCharacter(text, from, to)
  let begin = lineStart(text, start)
  const layout = { column: start - begin, isList: isDash(text, start), level }
  yield [openingOf(layout.isList, start, COLLECTION_STYLE.BLOCK)]
  while (begin < to) {
    const end = partEnd(text, begin, to, layout, longest)
    if (end - begin > longest && !layout.isList) yield* longMember(text, begin, end, layout, longest)
    else yield membersIn(text, begin, end, layout)
    begin = end
  }
  yield [closing]
}

export function openingOf(isList: boolean, start: number, style: CollectionStyle): Event {
  const type = isList ? EVENT_ID.SEQUENCE : EVENT_ID.MAPPING
  return { type, start, anchorStart: -1, anchorEnd: -1, tagStart: -1, tagEnd: -1, style }
}

type CollectionStyle = (typeof COLLECTION_STYLE)[keyof typeof COLLECTION_STYLE]

/** `key:` alone in its line, and below it the members of its value. */
function* longMember(text: string, begin: number, end: number, layout: Layout, longest: number): EventParts {
  const from = lineAfter(text, begin, end)
  if (/:(?: +#.*)?$/.test(text.slice(begin, from).trimEnd())) {
    const [key, value, ...others] = membersIn(text, begin, from, layout)
    if (key === undefined || !isEmpty(value) || others.length > 0) refuse()
    yield [key]
    yield* blockEvents(text, { from, to: end, level: layout.level + 1 }, longest)
  } else yield membersIn(text, begin, end, layout)
}

function isEmpty(event: Event | undefined): boolean {
  return event?.type === EVENT_ID.SCALAR && event.valueStart < 0 && event.anchorStart < 0 && event.tagStart < 0
}

/** The events of the members in these lines, with positions in the whole text. */
function membersIn(text: string, begin: number, end: number, { column, isList, level }: Layout): readonly Event[] {
  const [_document, opening, ...events] = parseEvents(text.slice(begin, end), { maxDepth: maxDepth - level })
  const isSame =
    opening?.type === (isList ? EVENT_ID.SEQUENCE : EVENT_ID.MAPPING) &&
    opening.start === column &&
    opening.style === COLLECTION_STYLE.BLOCK &&
    opening.anchorStart < 0 &&
    opening.tagStart < 0
  if (!isSame) refuse()
  // The ends of the collection and of the document.
  events.length -= 2
  for (const event of events) shift(event, begin)
  return events
}

/** Moves its positions. */
export function shift(event: Event, by: number): void {
  if (event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) return
  if (event.anchorStart >= 0) {
    event.anchorStart += by
    event.anchorEnd += by
  }
  if (event.type === EVENT_ID.ALIAS) return
  if (event.tagStart >= 0) {
    event.tagStart += by
    event.tagEnd += by
  }
  if (event.type !== EVENT_ID.SCALAR) event.start += by
  else if (event.valueStart >= 0) {
    event.valueStart += by
    event.valueEnd += by
  }
}

/** Of the first line that is neither empty nor a comment. */
function firstCharacter(text: string, from: number, to: number): number {
  for (let at = from; at < to; at = lineAfter(text, at, to)) {
    let start = at
    while (text[start] === ' ') start++
    const character = text[start]
    if (character === '\t') refuse()
    if (start < to && character !== '#' && character !== '\n' && character !== '\r') return start
  }
  return refuse()
}

/** The end of the member that begins here, and of those after it that fit into the same part. */
function partEnd(text: string, begin: number, to: number, layout: Layout, longest: number): number {
  let end = nextMember(text, begin, to, layout)
  while (end < to) {
    const next = nextMember(text, end, to, layout)
    if (next - begin > longest) break
    end = next
  }
  return end
}

/** Where the member after the one that begins here begins. */
function nextMember(text: string, begin: number, to: number, { column, isList }: Layout): number {
  // Their meaning depends on the lines before or after: a key that is empty, marked, complex or in brackets.
  if (':?&*!{['.includes(text[begin + column] ?? '')) refuse()
  for (let at = lineAfter(text, begin, to); at < to; at = lineAfter(text, at, to)) {
    let start = at
    while (start < at + column && text[start] === ' ') start++
    const character = text[start]
    if (character === undefined || character === '\n' || character === '\r' || character === '#') continue
    if (start < at + column || character === '\t') refuse()
    if (character === ' ') continue
    // `key:` may have its list at its own column.
    if (isDash(text, start) === isList) return at
    if (isList) refuse()
  }
  return to
}

function isDash(text: string, at: number): boolean {
  const next = text[at + 1]
  return text[at] === '-' && (next === ' ' || next === '\n' || next === '\r' || next === undefined)
}

function lineAfter(text: string, from: number, to: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? to : Math.min(end + 1, to)
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}
