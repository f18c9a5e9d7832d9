/**
 * YAML or JSON text → its value: keys, tags, anchors, aliases and `<<`, by the rules Airbyte reads manifests with.
 * A recorder learns where each part is written.
 */
import { type Event, EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml'
import type { ErrorCode } from '../../std/errors.ts'
import { parseJson } from '../../std/json.ts'
import { maxMerged, maxValues, failTooLarge, refuseTooLarge, tooManyValues } from './limits.ts'
import { jsonEventsInParts } from './json-parts.ts'
import { plainScalar, taggedScalar } from './scalars.ts'
import { isObject, type TreeObject, type Node, setMember } from './tree.ts'
import { eventsInParts, longestPart, maxDepth } from './yaml-parts.ts'

type EventOf<Id> = Extract<Event, { type: Id }>
export type ScalarEvent = EventOf<typeof EVENT_ID.SCALAR>
export type OpeningEvent = EventOf<typeof EVENT_ID.MAPPING> | EventOf<typeof EVENT_ID.SEQUENCE>
export type AliasEvent = EventOf<typeof EVENT_ID.ALIAS>

/** A map or a list that is still open; `kept` is what the recorder remembers of it. */
export type OpenNode<Kept> = {
  readonly node: Node
  readonly event: OpeningEvent
  readonly kept: Kept
  /** Read, and still without its value. */
  key: { readonly text: string; readonly isMerge: boolean } | null
  /** The values of `<<`, and where the last one is. */
  readonly merged: unknown[]
  mergeStart: number
}

/** Called for each part in the order of the text, before its value becomes part of `holder`. */
export type Recorder<Kept> = {
  key(event: ScalarEvent, text: string, holder: OpenNode<Kept>): void
  scalar(event: ScalarEvent, value: unknown, holder: OpenNode<Kept> | undefined): void
  alias(event: AliasEvent, value: unknown, holder: OpenNode<Kept> | undefined): void
  open(event: OpeningEvent, node: Node, holder: OpenNode<Kept> | undefined): Kept
  close?(frame: OpenNode<Kept>, holder: OpenNode<Kept> | undefined): void
  /** `<<` brought in this member of `source`. */
  merged?(frame: OpenNode<Kept>, key: string, source: TreeObject): void
  /** What it was told counts no more: the text is read again from its beginning. */
  restart(): void
}

/** Why a text cannot be read, and where. */
export class UnreadableText extends Error {
  readonly code: ErrorCode
  readonly offset: number

  constructor(message: string, offset: number, code: ErrorCode = 'manifest/syntax') {
    super(message)
    this.code = code
    this.offset = offset
  }
}

/**
 * The value of the text; null when it holds comments at most. Throws UnreadableText when it is not one document, and
 * ConnectorError `manifest/too-large` before it would take long.
 */
export function readYaml<Kept>(
  text: string,
  isJsonText: boolean,
  recorder: Recorder<Kept>,
  anchors?: KnownAnchors,
): { value: unknown } | null {
  return lastOf(readYamlSteps(text, isJsonText, recorder, anchors))
}

/** The values of anchors before this text, where it is a part of another: its aliases may repeat them. */
export type KnownAnchors = ReadonlyMap<string, unknown>

/** Work that may be interrupted at every `yield`, so that a server can answer others in between. */
export type Steps<Result> = Generator<undefined, Result>

/** The same, step by step. */
export function* readYamlSteps<Kept>(
  text: string,
  isJsonText: boolean,
  recorder: Recorder<Kept>,
  anchors?: KnownAnchors,
): Steps<{ value: unknown } | null> {
  if (text.length > longestPart) {
    const root = yield* readYamlInParts(text, isJsonText, recorder, { anchors })
    if (root !== null) return root
    recorder.restart()
  }
  refuseTooLarge(text)
  yield
  const events = eventsOf(text)
  yield
  return yield* new Reader(text, isJsonText, recorder, anchors).read(inPortions(events))
}

/** Null where the text cannot be read in parts, or not at all: reading the whole tells which. */
export function* readYamlInParts<Kept>(
  text: string,
  isJsonText: boolean,
  recorder: Recorder<Kept>,
  { longest, anchors }: { longest?: number | undefined; anchors?: KnownAnchors | undefined } = {},
): Steps<{ value: unknown } | null> {
  try {
    refuseTooLarge(text)
    yield
    const parts = (isJsonText ? jsonEventsInParts : eventsInParts)(text, longest)
    return yield* new Reader(text, isJsonText, recorder, anchors).read(parts)
  } catch {
    return null
  }
}

/** Does all the steps at once. */
export function lastOf<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** JSON is read by JSON's rules: there `1e5` is a number, in YAML as Airbyte reads it a string. */
export function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Counts what `<<` brings in, over a whole text. */
export type MergeCount = { members: number }

/** Own members win over what `<<` brings in, whatever the order, and the first of its objects over the others. */
export function mergeMembers(
  node: TreeObject,
  merged: readonly unknown[],
  count: MergeCount,
  offset: number,
  onMember?: (key: string, source: TreeObject) => void,
): void {
  for (const source of merged.flat()) {
    if (!isObject(source)) throw new UnreadableText('`<<` takes an object, or a list of objects, to merge.', offset)
    for (const [key, value] of Object.entries(source)) {
      if (++count.members > maxMerged) failTooLarge(`\`<<\` brings in more than ${maxMerged} members.`)
      if (Object.hasOwn(node, key)) continue
      setMember(node, key, value)
      onMember?.(key, source)
    }
  }
}

function eventsOf(text: string): Event[] {
  try {
    return parseEvents(text, { maxDepth })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const reason = error.reason.startsWith('nesting exceeded')
      ? `The text is nested deeper than ${maxDepth} levels.`
      : `The text is not readable as YAML or JSON: ${error.reason}.`
    throw new UnreadableText(reason, error.mark?.position ?? 0)
  }
}

/** So many events are read in a few milliseconds. */
const eventsAtOnce = 20_000

function* inPortions(events: readonly Event[]): Generator<readonly Event[]> {
  for (let from = 0; from < events.length; from += eventsAtOnce) yield events.slice(from, from + eventsAtOnce)
}

/** Builds the value from the flat list of events, without recursion. */
class Reader<Kept> {
  readonly #text: string
  readonly #isJson: boolean
  readonly #recorder: Recorder<Kept>
  readonly #frames: OpenNode<Kept>[] = []
  readonly #anchors = new Map<string, { value: unknown; frame: OpenNode<Kept> | null }>()
  readonly #mergeCount: MergeCount = { members: 0 }
  #root: { value: unknown } | null = null

  constructor(text: string, json: boolean, recorder: Recorder<Kept>, anchors: KnownAnchors = new Map()) {
    this.#text = text
    this.#isJson = json
    this.#recorder = recorder
    for (const [name, value] of anchors) this.#anchors.set(name, { value, frame: null })
  }

  *read(portions: Iterable<readonly Event[]>): Steps<{ value: unknown } | null> {
    let count = 0
    for (const events of portions) {
      count += events.length
      if (count > 2 * maxValues) tooManyValues()
      this.#takeAll(events)
      yield
    }
    return this.#root
  }

  /** A loop in a function that is interrupted would be slower. */
  #takeAll(events: readonly Event[]): void {
    for (const event of events) this.#take(event)
  }

  #take(event: Event): void {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        if (this.#root !== null) {
          throw new UnreadableText('The text holds more than one document; a manifest is one.', secondStart(this.#text))
        }
        return
      case EVENT_ID.SCALAR:
        return this.#scalar(event)
      case EVENT_ID.MAPPING:
        return this.#open({}, event)
      case EVENT_ID.SEQUENCE:
        return this.#open([], event)
      case EVENT_ID.ALIAS:
        return this.#alias(event)
      case EVENT_ID.POP:
        return this.#close()
    }
  }

  #scalar(event: ScalarEvent): void {
    const text = getScalarValue(this.#text, event)
    const isPlain = event.style === SCALAR_STYLE.PLAIN
    const holder = this.#frames.at(-1)
    if (holder !== undefined && expectsKey(holder)) {
      // Airbyte: reads the key `on` as true and `007` as 7; a key here is the text its author wrote.
      holder.key = { text, isMerge: isPlain && text === '<<' && !this.#isJson }
      if (holder.key.isMerge) holder.mergeStart = event.valueStart
      this.#recorder.key(event, text, holder)
      return
    }
    const value = this.#scalarValue(event, text, isPlain)
    this.#anchor(event, value, null)
    this.#recorder.scalar(event, value, holder)
    this.#add(value, holder)
  }

  #scalarValue(event: ScalarEvent, text: string, isPlain: boolean): unknown {
    if (event.tagStart >= 0) {
      const tag = this.#text.slice(event.tagStart, event.tagEnd)
      const tagged = taggedScalar(tag, text)
      if (tagged === undefined) throw unknownTag(tag, event.tagStart)
      return tagged.value
    }
    if (!isPlain) return text
    return this.#isJson ? parseJson(text).value : plainScalar(text)
  }

  #open(node: Node, event: OpeningEvent): void {
    const holder = this.#frames.at(-1)
    if (holder !== undefined && expectsKey(holder)) throw keyIsNoText(event.start)
    const tag = event.tagStart < 0 ? '' : this.#text.slice(event.tagStart, event.tagEnd)
    if (tag !== '' && !['!', '!!map', '!!seq'].includes(tag)) throw unknownTag(tag, event.tagStart)
    const kept = this.#recorder.open(event, node, holder)
    const frame: OpenNode<Kept> = { node, event, kept, key: null, merged: [], mergeStart: event.start }
    this.#anchor(event, node, frame)
    this.#add(node, holder)
    this.#frames.push(frame)
  }

  #alias(event: AliasEvent): void {
    const name = this.#text.slice(event.anchorStart, event.anchorEnd)
    const offset = event.anchorStart - 1
    const anchor = this.#anchors.get(name)
    if (anchor?.value === undefined) throw new UnreadableText(`The alias *${name} names no anchor.`, offset)
    if (anchor.frame !== null && this.#frames.includes(anchor.frame)) {
      const message = `The alias *${name} is inside the value it names.`
      throw new UnreadableText(message, offset, 'manifest/circular-reference')
    }
    const holder = this.#frames.at(-1)
    if (holder !== undefined && expectsKey(holder)) throw keyIsNoText(offset)
    this.#recorder.alias(event, anchor.value, holder)
    this.#add(anchor.value, holder)
  }

  #anchor(event: ScalarEvent | OpeningEvent, value: unknown, frame: OpenNode<Kept> | null): void {
    if (event.anchorStart >= 0)
      this.#anchors.set(this.#text.slice(event.anchorStart, event.anchorEnd), { value, frame })
  }

  #add(value: unknown, holder: OpenNode<Kept> | undefined): void {
    if (holder === undefined) this.#root = { value }
    else if (Array.isArray(holder.node)) holder.node.push(value)
    else if (holder.key?.isMerge === true) holder.merged.push(value)
    else setMember(holder.node, holder.key?.text ?? '', value)
    if (holder !== undefined) holder.key = null
  }

  #close(): void {
    const frame = this.#frames.pop()
    if (frame === undefined) return
    const { node, merged, mergeStart } = frame
    if (isObject(node)) {
      mergeMembers(node, merged, this.#mergeCount, mergeStart, (key, source) =>
        this.#recorder.merged?.(frame, key, source),
      )
    }
    this.#recorder.close?.(frame, this.#frames.at(-1))
  }
}

function expectsKey({ node, key }: OpenNode<unknown>): boolean {
  return key === null && !Array.isArray(node)
}

/** Events do not tell where a document starts. In no document does a line start with its mark. */
function secondStart(text: string): number {
  const opening = /^(?:[ \t]*(?:[#%].*)?\r?\n)*---(?=\s|$)/.exec(text)?.[0].length ?? 0
  const rest = text.slice(opening)
  const start = rest.search(/^---(?=\s|$)/m)
  return opening + (start >= 0 ? start : Math.max(0, rest.search(/^\.\.\.(?=\s|$)/m)))
}

function keyIsNoText(offset: number): UnreadableText {
  return new UnreadableText('A key must be text, not an object or a list.', offset)
}

function unknownTag(tag: string, offset: number): UnreadableText {
  return new UnreadableText(`The tag ${tag} cannot be read here.`, offset)
}
