/** YAML or JSON text → its tree, by the rules of the engine's own reader. */
import { type Event, EVENT_ID, getScalarValue, SCALAR_STYLE } from 'js-yaml'
import { maxMerged } from '../engine/manifest/limits.ts'
import { boundedEvents } from '../engine/manifest/parse.ts'
import { plainScalar, taggedScalar } from '../engine/manifest/scalars.ts'
import { isObject } from '../engine/manifest/tree.ts'
import { parseJson } from '../std/json.ts'
import { behindBlanks, behindSpaces, headerOf, lineStart, previousLineEnd } from './characters.ts'
import { type Entry, mapValue, type ScalarStyle, type SourceNode, type SourceTree, Unreadable } from './source-tree.ts'

const styles: Record<ScalarEvent['style'], ScalarStyle> = {
  [SCALAR_STYLE.PLAIN]: 'plain',
  [SCALAR_STYLE.SINGLE_QUOTED]: 'single',
  [SCALAR_STYLE.DOUBLE_QUOTED]: 'double',
  [SCALAR_STYLE.LITERAL_BLOCK]: 'literal',
  [SCALAR_STYLE.FOLDED_BLOCK]: 'folded',
}

/** Throws when the text is not one document that the engine could read. */
export function readTree(text: string, isJson: boolean): SourceTree {
  return new TreeReader(text, isJson).read(boundedEvents(text))
}

class TreeReader {
  readonly #text: string
  readonly #isJson: boolean
  readonly #frames: Frame[] = []
  readonly #anchors = new Map<string, SourceNode | 'open'>()
  #documents = 0
  #merged = 0
  #isTangled = false
  #root: { node: SourceNode; start: number } | null = null

  constructor(text: string, isJson: boolean) {
    this.#text = text
    this.#isJson = isJson
  }

  read(events: readonly Event[]): SourceTree {
    for (const event of events) this.#take(event)
    // `---` alone starts an empty document.
    const written = this.#root?.node.length === 0 ? null : this.#root
    const { node: root, start } = written ?? { node: null, start: this.#text.length }
    return { text: this.#text, root, start, isJson: this.#isJson, isTangled: this.#isTangled }
  }

  #countMerged(source: unknown): void {
    for (const one of [source].flat()) if (isObject(one)) this.#merged += Object.keys(one).length
    if (this.#merged > maxMerged) throw new Unreadable('`<<` brings in too much')
  }

  #take(event: Event): void {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        if (++this.#documents > 1) throw new Unreadable('more than one document')
        this.#isTangled ||= event.directives.length > 0
        return
      case EVENT_ID.SCALAR:
        return this.#scalar(event)
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE:
        return this.#open(event)
      case EVENT_ID.ALIAS:
        return this.#alias(event)
      case EVENT_ID.POP: {
        const frame = this.#frames.pop()
        if (frame !== undefined) this.#close(frame)
      }
    }
  }

  #scalar(event: ScalarEvent): void {
    const value = getScalarValue(this.#text, event)
    const style = styles[event.style]
    const frame = this.#frames.at(-1)
    if (frame?.kind === 'map' && frame.key === null) {
      const isMerge = style === 'plain' && value === '<<' && !this.#isJson
      const quote = quoteLength(style)
      const start = event.valueStart < 0 ? emptyKey(this.#text, frame.end) : event.valueStart - quote
      frame.key = { text: value, start, end: event.valueStart < 0 ? start : event.valueEnd + quote, isMerge }
      frame.end = frame.key.end
      return
    }
    const { start, end } = scalarExtent(this.#text, event, style, frame)
    const anchor = this.#anchorOf(event)
    const hasMarks = anchor !== null || event.tagStart >= 0
    const worth = this.#scalarValue(event, value, style)
    const node: SourceNode = { kind: 'scalar', style, length: end - start, value: worth, anchor, hasMarks }
    if (anchor !== null) this.#anchors.set(anchor, node)
    this.#add(node, start, event)
  }

  #scalarValue(event: ScalarEvent, text: string, style: ScalarStyle): unknown {
    if (event.tagStart >= 0) {
      const tagged = taggedScalar(this.#text.slice(event.tagStart, event.tagEnd), text)
      if (tagged === undefined) throw new Unreadable('a tag that is not known')
      return tagged.value
    }
    if (style !== 'plain') return text
    return this.#isJson ? parseJson(text).value : plainScalar(text)
  }

  #open(event: OpeningEvent): void {
    const parent = this.#frames.at(-1)
    if (parent?.kind === 'map' && parent.key === null) throw new Unreadable('a key that is no text')
    const tag = event.tagStart < 0 ? '' : this.#text.slice(event.tagStart, event.tagEnd)
    if (!['', '!', '!!map', '!!seq'].includes(tag)) throw new Unreadable('a tag that is not known')
    const kind = event.type === EVENT_ID.MAPPING ? 'map' : 'list'
    if (event.anchorStart >= 0) this.#anchors.set(this.#text.slice(event.anchorStart, event.anchorEnd), 'open')
    this.#frames.push({ kind, event, entries: [], key: null, end: event.start })
  }

  #close(frame: Frame): void {
    const { kind, event, entries } = frame
    const isFlow = event.style === 2
    const end = isFlow ? closingBracket(this.#text, frame) : frame.end
    for (const entry of entries) if (entry.isMerge) this.#countMerged(entry.node.value)
    const value = kind === 'map' ? mapValue(entries) : entries.map((entry) => entry.node.value)
    const anchor = this.#anchorOf(event)
    const hasMarks = anchor !== null || event.tagStart >= 0
    const node: SourceNode = { kind, isFlow, length: end - event.start, value, anchor, hasMarks, entries }
    if (anchor !== null) this.#anchors.set(anchor, node)
    this.#add(node, event.start, event)
  }

  #alias(event: EventOf<typeof EVENT_ID.ALIAS>): void {
    const name = this.#text.slice(event.anchorStart, event.anchorEnd)
    const named = this.#anchors.get(name)
    if (named === undefined || named === 'open') throw new Unreadable('an alias that names nothing, or itself')
    this.#isTangled = true
    const frame = this.#frames.at(-1)
    if (frame?.kind === 'map' && frame.key === null) throw new Unreadable('a key that is no text')
    const length = name.length + 1
    const node: SourceNode = { kind: 'alias', length, value: named.value, anchor: name, hasMarks: false }
    this.#add(node, event.anchorStart - 1, { anchorStart: -1, anchorEnd: -1, tagStart: -1, tagEnd: -1 })
  }

  #anchorOf({ anchorStart, anchorEnd }: Marks): string | null {
    if (anchorStart < 0) return null
    this.#isTangled = true
    return this.#text.slice(anchorStart, anchorEnd)
  }

  #add(node: SourceNode, start: number, marks: Marks): void {
    const frame = this.#frames.at(-1)
    if (frame === undefined) {
      this.#root = { node, start }
      return
    }
    frame.entries.push(
      frame.kind === 'map' ? this.#member(frame, node, start) : this.#item(frame, node, start, firstMark(start, marks)),
    )
    frame.key = null
    frame.end = start + node.length
  }

  #member({ key, event }: Frame, node: SourceNode, start: number): Entry {
    if (key === null) throw new Unreadable('a key that is no text')
    const colon = colonBehind(this.#text, key.end)
    return {
      at: key.start - event.start,
      key: key.text,
      keyLength: key.end - key.start,
      markEnd: colon === null ? null : colon - key.start,
      valueAt: start - key.start,
      node,
      isMerge: key.isMerge,
    }
  }

  #item(frame: Frame, node: SourceNode, start: number, markedStart: number): Entry {
    const isBlock = frame.event.style === 1
    const at = isBlock ? dashOf(this.#text, frame) : markedStart
    const markEnd = isBlock ? 1 : 0
    return { at: at - frame.event.start, key: null, keyLength: 0, markEnd, valueAt: start - at, node, isMerge: false }
  }
}

export type EventOf<Id> = Extract<Event, { type: Id }>
export type ScalarEvent = EventOf<typeof EVENT_ID.SCALAR>
export type OpeningEvent = EventOf<typeof EVENT_ID.MAPPING> | EventOf<typeof EVENT_ID.SEQUENCE>
export type Marks = { anchorStart: number; anchorEnd: number; tagStart: number; tagEnd: number }
export type Key = { text: string; start: number; end: number; isMerge: boolean }

/** A map or a list that is still open. */
export type Frame = {
  readonly kind: 'map' | 'list'
  readonly event: OpeningEvent
  readonly entries: Entry[]
  key: Key | null
  /** Where the last thing read in it ended. */
  end: number
}

/** The position of an empty key: after its question mark, if it has one. */
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

/** Where a value may begin: after its colon or dash, and after its anchor and tag. */
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

/** The position after the bracket that closes a map or list. */
export function closingBracket(text: string, { event, entries, end }: Frame): number {
  const opening = text[event.start]
  // `[a: 1]` holds a map without its own brackets.
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

/** Anchor and tag precede the value, in any order. */
export function firstMark(start: number, { anchorStart, tagStart }: Marks): number {
  return Math.min(start, anchorStart < 0 ? start : anchorStart - 1, tagStart < 0 ? start : tagStart)
}
