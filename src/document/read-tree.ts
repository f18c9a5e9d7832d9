/** YAML or JSON text → its tree, by the rules of the engine's own reader. */
import { SCALAR_STYLE } from 'js-yaml'
import {
  type AliasEvent,
  type KnownAnchors,
  type OpenNode,
  type OpeningEvent,
  type Recorder,
  readYaml,
  readYamlInParts,
  type ScalarEvent,
  type Steps,
} from '../engine/manifest/read-yaml.ts'
import type { Node } from '../engine/manifest/tree.ts'
import { behindBlanks, behindSpaces, headerOf, lineStart, previousLineEnd } from './characters.ts'
import type { Entry, ScalarStyle, SourceNode, SourceTree } from './source-tree.ts'

const styles: Record<ScalarEvent['style'], ScalarStyle> = {
  [SCALAR_STYLE.PLAIN]: 'plain',
  [SCALAR_STYLE.SINGLE_QUOTED]: 'single',
  [SCALAR_STYLE.DOUBLE_QUOTED]: 'double',
  [SCALAR_STYLE.LITERAL_BLOCK]: 'literal',
  [SCALAR_STYLE.FOLDED_BLOCK]: 'folded',
}

/** Throws when the text is not one document that the engine could read. */
export function readTree(text: string, isJson: boolean, anchors?: KnownAnchors): SourceTree {
  const recorder = new ExtentRecorder(text)
  readYaml(text, isJson, recorder, anchors)
  return recorder.treeOf(isJson)
}

/** How the members of a collection are written, and what aliases in them may repeat. */
export type MembersLayout = {
  readonly kind: 'map' | 'list'
  readonly column: number
  readonly anchors: KnownAnchors
}

export type ReadMembers = { readonly entries: readonly Entry[]; readonly isTangled: boolean }

/** Whole lines → the members in them, with positions from the first of them on. Null where they need what is around them. */
export function readMembers(lines: string, { kind, column, anchors }: MembersLayout): ReadMembers | null {
  const { root, start, isTangled } = readTree(lines, false, anchors)
  if (root === null || root.kind !== kind || root.isFlow || root.hasMarks || start !== column) return null
  return root.entries.every(({ markEnd }) => markEnd !== null) ? { entries: root.entries, isTangled } : null
}

/** A long text, part by part: between two parts the caller may do something else. Null where it must be read as a whole. */
export function* readTreeInParts(text: string, isJson: boolean, longest?: number): Steps<SourceTree | null> {
  const recorder = new ExtentRecorder(text)
  const root = yield* readYamlInParts(text, isJson, recorder, { longest })
  return root === null ? null : recorder.treeOf(isJson)
}

type Marks = { anchorStart: number; anchorEnd: number; tagStart: number; tagEnd: number }
type Key = { text: string; start: number; end: number; isMerge: boolean }
type Holder = OpenNode<OpenCollection> | undefined

/** A map or a list that is still open. */
type OpenCollection = {
  readonly kind: 'map' | 'list'
  readonly event: OpeningEvent
  readonly entries: Entry[]
  key: Key | null
  /** Where the last thing read in it ended. */
  end: number
}

/** Records from where to where each part is written. */
class ExtentRecorder implements Recorder<OpenCollection> {
  readonly #text: string
  #root: { node: SourceNode; start: number } | null = null
  #isTangled = false

  constructor(text: string) {
    this.#text = text
  }

  treeOf(isJson: boolean): SourceTree {
    // `---` alone starts an empty document.
    const written = this.#root?.node.length === 0 ? null : this.#root
    const { node: root, start } = written ?? { node: null, start: this.#text.length }
    return { text: this.#text, root, start, isJson, isTangled: this.#isTangled }
  }

  restart(): void {
    this.#root = null
    this.#isTangled = false
  }

  key(event: ScalarEvent, text: string, { kept, key }: OpenNode<OpenCollection>): void {
    const quote = quoteLength(styles[event.style])
    const start = event.valueStart < 0 ? emptyKey(this.#text, kept.end) : event.valueStart - quote
    const end = event.valueStart < 0 ? start : event.valueEnd + quote
    kept.key = { text, start, end, isMerge: key?.isMerge === true }
    kept.end = end
  }

  scalar(event: ScalarEvent, value: unknown, holder: Holder): void {
    const style = styles[event.style]
    const { start, end } = scalarExtent(this.#text, event, style, holder?.kept)
    this.#add({ kind: 'scalar', style, length: end - start, value, ...this.#marksOf(event) }, start, event, holder)
  }

  alias({ anchorStart, anchorEnd }: AliasEvent, value: unknown, holder: Holder): void {
    this.#isTangled = true
    const anchor = this.#text.slice(anchorStart, anchorEnd)
    const node: SourceNode = { kind: 'alias', length: anchor.length + 1, value, anchor, hasMarks: false }
    this.#add(node, anchorStart - 1, { anchorStart: -1, anchorEnd: -1, tagStart: -1, tagEnd: -1 }, holder)
  }

  open(event: OpeningEvent, node: Node): OpenCollection {
    return { kind: Array.isArray(node) ? 'list' : 'map', event, entries: [], key: null, end: event.start }
  }

  close({ node: value, kept }: OpenNode<OpenCollection>, holder: Holder): void {
    const { kind, event, entries } = kept
    const isFlow = event.style === 2
    const end = isFlow ? closingBracket(this.#text, kept) : kept.end
    const length = end - event.start
    this.#add({ kind, isFlow, length, value, ...this.#marksOf(event), entries }, event.start, event, holder)
  }

  #marksOf({ anchorStart, anchorEnd, tagStart }: Marks): { anchor: string | null; hasMarks: boolean } {
    if (anchorStart < 0) return { anchor: null, hasMarks: tagStart >= 0 }
    this.#isTangled = true
    return { anchor: this.#text.slice(anchorStart, anchorEnd), hasMarks: true }
  }

  #add(node: SourceNode, start: number, marks: Marks, holder: Holder): void {
    if (holder === undefined) {
      this.#root = { node, start }
      return
    }
    const { kept } = holder
    kept.entries.push(
      kept.key === null
        ? this.#item(kept, node, start, firstMark(start, marks))
        : this.#member(kept.key, kept.event, node, start),
    )
    kept.key = null
    kept.end = start + node.length
  }

  #member(key: Key, event: OpeningEvent, node: SourceNode, start: number): Entry {
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

  #item(list: OpenCollection, node: SourceNode, start: number, markedStart: number): Entry {
    const isBlock = list.event.style === 1
    const at = isBlock ? dashOf(this.#text, list) : markedStart
    const markEnd = isBlock ? 1 : 0
    return { at: at - list.event.start, key: null, keyLength: 0, markEnd, valueAt: start - at, node, isMerge: false }
  }
}

/** The position of an empty key: after its question mark, if it has one. */
function emptyKey(text: string, from: number): number {
  const at = behindBlanks(text, from)
  return text[at] === '?' ? at + 1 : from
}

/** Quotes and the header of a block are part of the value. */
function scalarExtent(
  text: string,
  event: ScalarEvent,
  style: ScalarStyle,
  frame: OpenCollection | undefined,
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

function quoteLength(style: ScalarStyle): number {
  return style === 'single' || style === 'double' ? 1 : 0
}

/** Where a value may begin: after its colon or dash, and after its anchor and tag. */
function behindMarks(text: string, marks: Marks, frame: OpenCollection | undefined): number {
  const marked = Math.max(marks.anchorEnd, marks.tagEnd)
  if (marked >= 0) return marked
  if (frame === undefined) return 0
  if (frame.kind === 'map') return colonBehind(text, frame.key?.end ?? frame.end) ?? frame.end
  return frame.event.style === 1 ? dashOf(text, frame) + 1 : frame.end
}

function colonBehind(text: string, keyEnd: number): number | null {
  const at = behindSpaces(text, keyEnd)
  return text[at] === ':' ? at + 1 : null
}

function dashOf(text: string, { entries, event, end }: OpenCollection): number {
  return entries.length === 0 ? event.start : behindBlanks(text, end)
}

/** The position after the bracket that closes a map or list. */
function closingBracket(text: string, { event, entries, end }: OpenCollection): number {
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
function firstMark(start: number, { anchorStart, tagStart }: Marks): number {
  return Math.min(start, anchorStart < 0 ? start : anchorStart - 1, tagStart < 0 ? start : tagStart)
}
