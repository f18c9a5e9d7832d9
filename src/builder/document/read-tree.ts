/** YAML or JSON text → its tree, by the rules of the engine's own reader. */
import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE } from 'js-yaml'
import { parseJson } from '../../json.ts'
import { maxDepth } from '../../engine/manifest/parse.ts'
import { plainScalar, taggedScalar } from '../../engine/manifest/scalars.ts'
import { behindBlanks, behindSpaces, headerOf, lineStart, previousLineEnd } from './characters.ts'
import { type Entry, mapValue, type ScalarStyle, type SourceNode, type SourceTree, Unreadable } from './source-tree.ts'

type EventOf<Id> = Extract<Event, { type: Id }>
type ScalarEvent = EventOf<typeof EVENT_ID.SCALAR>
type OpeningEvent = EventOf<typeof EVENT_ID.MAPPING> | EventOf<typeof EVENT_ID.SEQUENCE>
type Marks = { anchorStart: number; anchorEnd: number; tagStart: number; tagEnd: number }
type Key = { text: string; start: number; end: number; isMerge: boolean }

type Frame = {
  readonly kind: 'map' | 'list'
  readonly event: OpeningEvent
  readonly entries: Entry[]
  key: Key | null
  /** Where the last thing read in it ended. */
  end: number
}

const styles: Record<ScalarEvent['style'], ScalarStyle> = {
  [SCALAR_STYLE.PLAIN]: 'plain',
  [SCALAR_STYLE.SINGLE_QUOTED]: 'single',
  [SCALAR_STYLE.DOUBLE_QUOTED]: 'double',
  [SCALAR_STYLE.LITERAL_BLOCK]: 'literal',
  [SCALAR_STYLE.FOLDED_BLOCK]: 'folded',
}

/** Throws when the text is not one document that the engine could read. */
export function readTree(text: string, isJson: boolean): SourceTree {
  return new TreeReader(text, isJson).read(parseEvents(text, { maxDepth }))
}

class TreeReader {
  readonly #text: string
  readonly #isJson: boolean
  readonly #frames: Frame[] = []
  readonly #anchors = new Map<string, SourceNode | 'open'>()
  #documents = 0
  #isTangled = false
  #root: { node: SourceNode; start: number } | null = null

  constructor(text: string, isJson: boolean) {
    this.#text = text
    this.#isJson = isJson
  }

  read(events: readonly Event[]): SourceTree {
    for (const event of events) this.#take(event)
    // `---` alone opens a document in which nothing is written.
    const written = this.#root?.node.length === 0 ? null : this.#root
    const { node: root, start } = written ?? { node: null, start: this.#text.length }
    return { text: this.#text, root, start, isJson: this.#isJson, isTangled: this.#isTangled }
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
    const quote = style === 'single' || style === 'double' ? 1 : 0
    const frame = this.#frames.at(-1)
    if (frame?.kind === 'map' && frame.key === null) {
      const isMerge = style === 'plain' && value === '<<' && !this.#isJson
      const start = event.valueStart < 0 ? this.#emptyKey(frame.end) : event.valueStart - quote
      frame.key = { text: value, start, end: event.valueStart < 0 ? start : event.valueEnd + quote, isMerge }
      frame.end = frame.key.end
      return
    }
    const { start, end } = this.#extent(event, style, quote)
    const anchor = this.#anchorOf(event)
    const hasMarks = anchor !== null || event.tagStart >= 0
    const worth = this.#scalarValue(event, value, style)
    const node: SourceNode = { kind: 'scalar', style, length: end - start, value: worth, anchor, hasMarks }
    if (anchor !== null) this.#anchors.set(anchor, node)
    this.#add(node, start, event)
  }

  /** A key that is not written: behind its question mark, if it has one. */
  #emptyKey(from: number): number {
    const at = behindBlanks(this.#text, from)
    return this.#text[at] === '?' ? at + 1 : from
  }

  #extent(event: ScalarEvent, style: ScalarStyle, quote: number): { start: number; end: number } {
    if (style === 'literal' || style === 'folded') {
      const header = headerOf(this.#text, this.#behindMarks(event))
      const isKept = header.text.includes('+')
      return { start: header.start, end: Math.max(header.end, endOfBlock(this.#text, event, isKept)) }
    }
    if (event.valueStart >= 0) return { start: event.valueStart - quote, end: event.valueEnd + quote }
    const nowhere = this.#behindMarks(event)
    return { start: nowhere, end: nowhere }
  }

  /** Where a value may begin: behind its colon or dash, and behind its anchor and tag. */
  #behindMarks(marks: Marks): number {
    const frame = this.#frames.at(-1)
    const marked = Math.max(marks.anchorEnd, marks.tagEnd)
    if (marked >= 0) return marked
    if (frame === undefined) return 0
    if (frame.kind === 'map') return this.#colonBehind(frame.key?.end ?? frame.end) ?? frame.end
    return frame.event.style === 1 ? this.#dash(frame) + 1 : frame.end
  }

  #colonBehind(keyEnd: number): number | null {
    const at = behindSpaces(this.#text, keyEnd)
    return this.#text[at] === ':' ? at + 1 : null
  }

  #dash({ entries, event, end }: Frame): number {
    return entries.length === 0 ? event.start : behindBlanks(this.#text, end)
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
    const end = isFlow ? this.#closingBracket(frame) : frame.end
    const value = kind === 'map' ? mapValue(entries) : entries.map((entry) => entry.node.value)
    const anchor = this.#anchorOf(event)
    const hasMarks = anchor !== null || event.tagStart >= 0
    const node: SourceNode = { kind, isFlow, length: end - event.start, value, anchor, hasMarks, entries }
    if (anchor !== null) this.#anchors.set(anchor, node)
    this.#add(node, event.start, event)
  }

  #closingBracket({ event, entries, end }: Frame): number {
    const opening = this.#text[event.start]
    // `[a: 1]` holds a map without brackets of its own.
    if (opening !== '{' && opening !== '[') return end
    let at = behindBlanks(this.#text, entries.length === 0 ? event.start + 1 : end)
    while (this.#text[at] === ',') at = behindBlanks(this.#text, at + 1)
    return at + 1
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
    const colon = this.#colonBehind(key.end)
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
    const at = isBlock ? this.#dash(frame) : markedStart
    const markEnd = isBlock ? 1 : 0
    return { at: at - frame.event.start, key: null, keyLength: 0, markEnd, valueAt: start - at, node, isMerge: false }
  }
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
function firstMark(start: number, { anchorStart, tagStart }: Marks): number {
  return Math.min(start, anchorStart < 0 ? start : anchorStart - 1, tagStart < 0 ? start : tagStart)
}
