/** A long text in JSON → its events, part by part, as `eventsInParts` does it for YAML. A part is some members of an object or a list. */
import { COLLECTION_STYLE, type Event, parseEvents } from 'js-yaml'
import { closing, documentStart, type EventParts, longestPart, maxDepth, openingOf, shift } from './yaml-parts.ts'

/** @param text an object or a list that `JSON.parse` accepts. */
export function* jsonEventsInParts(text: string, longest = longestPart): EventParts {
  yield [documentStart]
  yield* collectionEvents(text, text.search(/\S/), 0, longest)
  yield [closing]
}

function* collectionEvents(text: string, start: number, level: number, longest: number): EventParts {
  const isList = text[start] === '['
  yield [openingOf(isList, start, COLLECTION_STYLE.FLOW)]
  for (let begin = start + 1; ; ) {
    const end = partEnd(text, begin, longest)
    const inner = end - begin > longest ? firstBracket(text, begin, end) : -1
    if (inner === -1) yield membersIn(text.slice(begin, end), begin, isList, level)
    else {
      // One member, as two would have been two parts.
      if (!isList) yield membersIn(`${text.slice(begin, inner)}0`, begin, isList, level).slice(0, 1)
      yield* collectionEvents(text, inner, level + 1, longest)
    }
    if (text[end] !== ',') break
    begin = end + 1
  }
  yield [closing]
}

/** The end of the member that begins here, and of those after it that fit into the same part: a comma, or the closing bracket. */
function partEnd(text: string, begin: number, longest: number): number {
  let end = memberEnd(text, begin)
  while (text[end] === ',') {
    const next = memberEnd(text, end + 1)
    if (next - begin > longest) break
    end = next
  }
  return end
}

function memberEnd(text: string, from: number): number {
  let depth = 0
  for (let at = from; ; at++) {
    const character = text[at]
    if (character === '"') at = stringEnd(text, at)
    else if (character === '{' || character === '[') depth++
    else if (character === ',' && depth === 0) return at
    else if ((character === '}' || character === ']') && depth-- === 0) return at
  }
}

/** The value of a member, where it is an object or a list; else -1. */
function firstBracket(text: string, begin: number, end: number): number {
  for (let at = begin; at < end; at++) {
    const character = text[at]
    if (character === '"') at = stringEnd(text, at)
    else if (character === '{' || character === '[') return at
  }
  return -1
}

/** The quote that closes the string that starts here. */
function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

/** The events of members that were written in these brackets, with positions in the whole text. */
function membersIn(members: string, begin: number, isList: boolean, level: number): readonly Event[] {
  const [_document, _opening, ...events] = parseEvents(isList ? `[${members}]` : `{${members}}`, {
    maxDepth: maxDepth - level,
  })
  // The ends of the collection and of the document.
  events.length -= 2
  for (const event of events) shift(event, begin - 1)
  return events
}
