/** What the YAML parser says of an event → where in the text its key or value begins and ends. */
import type { EVENT_ID, Event } from 'js-yaml'
import { behindBlanks, behindSpaces, headerOf, lineStart, previousLineEnd } from './characters.ts'
import type { Entry, ScalarStyle } from './source-tree.ts'

export type EventOf<Id> = Extract<Event, { type: Id }>
export type ScalarEvent = EventOf<typeof EVENT_ID.SCALAR>
export type OpeningEvent = EventOf<typeof EVENT_ID.MAPPING> | EventOf<typeof EVENT_ID.SEQUENCE>
export type Marks = { anchorStart: number; anchorEnd: number; tagStart: number; tagEnd: number }
export type Key = { text: string; start: number; end: number; isMerge: boolean }

/** A map or a list whose end has not come yet. */
export type Frame = {
  readonly kind: 'map' | 'list'
  readonly event: OpeningEvent
  readonly entries: Entry[]
  key: Key | null
  /** Where the last thing read in it ended. */
  end: number
}

/** A key that is not written: behind its question mark, if it has one. */
export function emptyKey(text: string, from: number): number {
  const at = behindBlanks(text, from)
  return text[at] === '?' ? at + 1 : from
}

/** Quotes and the header of a block are part of the value. */
export function scalarExtent(
  text: string,
  event: ScalarEvent,
  style: ScalarStyle,
  frame: Frame | undefined,
): { start: number; end: number } {
  if (style === 'literal' || style === 'folded') {
    const header = headerOf(text, behindMarks(text, event, frame))
    const isKept = header.text.includes('+')
    return { start: header.start, end: Math.max(header.end, endOfBlock(text, event, isKept)) }
  }
  const quote = quoteLength(style)
  if (event.valueStart >= 0) return { start: event.valueStart - quote, end: event.valueEnd + quote }
  const nowhere = behindMarks(text, event, frame)
  return { start: nowhere, end: nowhere }
}

export function quoteLength(style: ScalarStyle): number {
  return style === 'single' || style === 'double' ? 1 : 0
}

/** Where a value may begin: behind its colon or dash, and behind its anchor and tag. */
function behindMarks(text: string, marks: Marks, frame: Frame | undefined): number {
  const marked = Math.max(marks.anchorEnd, marks.tagEnd)
  if (marked >= 0) return marked
  if (frame === undefined) return 0
  if (frame.kind === 'map') return colonBehind(text, frame.key?.end ?? frame.end) ?? frame.end
  return frame.event.style === 1 ? dashOf(text, frame) + 1 : frame.end
}

export function colonBehind(text: string, keyEnd: number): number | null {
  const at = behindSpaces(text, keyEnd)
  return text[at] === ':' ? at + 1 : null
}

export function dashOf(text: string, { entries, event, end }: Frame): number {
  return entries.length === 0 ? event.start : behindBlanks(text, end)
}

/** Behind the bracket that closes a map or list. */
export function closingBracket(text: string, { event, entries, end }: Frame): number {
  const opening = text[event.start]
  // `[a: 1]` holds a map without brackets of its own.
  if (opening !== '{' && opening !== '[') return end
  let at = behindBlanks(text, entries.length === 0 ? event.start + 1 : end)
  while (text[at] === ',') at = behindBlanks(text, at + 1)
  return at + 1
}

/** Before the line end of the last line that counts: empty lines at the end do only where the header keeps them. */
function endOfBlock(text: string, { valueStart, valueEnd, indent }: ScalarEvent, isKept: boolean): number {
  let end = valueEnd
  for (;;) {
    const line = lineStart(text, end)
    const mayBeEmpty = indent < 0 || end - line <= indent
    if (!mayBeEmpty || text.slice(line, end).trim() !== '') return end
    end = previousLineEnd(text, end)
    if (isKept || end < valueStart) return end
  }
}

/** Anchor and tag stand before the value, in whatever order. */
export function firstMark(start: number, { anchorStart, tagStart }: Marks): number {
  return Math.min(start, anchorStart < 0 ? start : anchorStart - 1, tagStart < 0 ? start : tagStart)
}
