/** YAML or JSON text, or a plain object → a tree that remembers where each value was written. */
import { type Event, EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml'
import { ConnectorError, type Problem } from '../../std/errors.ts'
import { Float, parseJson } from '../../std/json.ts'
import {
  maxMembers,
  maxMerged,
  maxProblems,
  maxValues,
  refuseTooLarge,
  tooLarge,
  tooManyMembers,
  tooManyValues,
} from './limits.ts'
import { type NodePosition, Places } from './places.ts'
import { problem } from './problem.ts'
import { plainScalar, taggedScalar } from './scalars.ts'
import { isObject, type JsonObject, type Node, setMember } from './tree.ts'

/** Far beyond any manifest (the deepest of 332 real ones has 46 levels), far below what would exhaust the stack. */
export const maxDepth = 256

export type Parsed = { value: unknown; places: Places; problems: Problem[] }

type ScalarEvent = Extract<Event, { type: typeof EVENT_ID.SCALAR }>

type Frame = {
  node: Node
  place: NodePosition
  key: string | null
  keyOffset: number
  isMergeKey: boolean
  /** What `<<` brought in; own keys win, whatever the order. */
  merged: unknown[]
}

/** Throws ConnectorError `manifest/syntax` when the text is not one YAML or JSON document. */
export function parseText(source: string, file?: string): Parsed {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source
  const places = new Places(text, file)
  return new Reader(text, places, isJson(text)).read(eventsOf(text, places))
}

/** Throws ConnectorError `manifest/too-large` before it would take long. */
export function boundedEvents(text: string): Event[] {
  refuseTooLarge(text)
  const events = parseEvents(text, { maxDepth })
  if (events.length > 2 * maxValues) tooManyValues()
  return events
}

function eventsOf(text: string, places: Places): Event[] {
  try {
    return boundedEvents(text)
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const reason = error.reason.startsWith('nesting exceeded')
      ? `The text is nested deeper than ${maxDepth} levels.`
      : `The text is not readable as YAML or JSON: ${error.reason}.`
    throw new ConnectorError('manifest/syntax', reason, { at: places.locate('', error.mark?.position ?? 0) })
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

/** Builds the tree from the flat list of events, without recursion. */
class Reader {
  readonly #text: string
  readonly #places: Places
  readonly #isJson: boolean
  readonly #frames: Frame[] = []
  readonly #anchors = new Map<string, { value: unknown; frame: Frame | null }>()
  readonly #problems: Problem[] = []
  #root: { value: unknown } | null = null
  #merged = 0

  constructor(text: string, places: Places, json: boolean) {
    this.#text = text
    this.#places = places
    this.#isJson = json
  }

  read(events: readonly Event[]): Parsed {
    for (const event of events) this.#take(event)
    if (this.#root === null) this.#refuse('The manifest is empty.', 0)
    return { value: this.#root.value, places: this.#places, problems: this.#problems }
  }

  #take(event: Event): void {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        if (this.#root !== null)
          this.#refuse('The text holds more than one document; a manifest is one.', this.#text.length)
        return
      case EVENT_ID.SCALAR:
        return this.#scalar(event)
      case EVENT_ID.MAPPING:
        return this.#open({}, event)
      case EVENT_ID.SEQUENCE:
        return this.#open([], event)
      case EVENT_ID.ALIAS: {
        const name = this.#text.slice(event.anchorStart, event.anchorEnd)
        const anchor = this.#anchors.get(name)
        if (anchor === undefined) this.#refuse(`The alias *${name} names no anchor.`, event.anchorStart - 1)
        if (anchor.frame !== null && this.#frames.includes(anchor.frame)) {
          throw new ConnectorError('manifest/circular-reference', `The alias *${name} is inside the value it names.`, {
            at: this.#places.locate('', event.anchorStart - 1),
          })
        }
        return this.#add(anchor.value, event.anchorStart - 1)
      }
      case EVENT_ID.POP:
        return this.#close()
    }
  }

  #scalar(event: ScalarEvent): void {
    const text = getScalarValue(this.#text, event)
    const isPlain = event.style === SCALAR_STYLE.PLAIN
    const isQuoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED
    const offset = event.valueStart < 0 ? -1 : event.valueStart - (isQuoted ? 1 : 0)
    const frame = this.#frames.at(-1)
    if (frame !== undefined && !Array.isArray(frame.node) && frame.key === null) {
      // Airbyte: reads the key `on` as true and `007` as 7; a key here is the text its author wrote.
      frame.key = text
      frame.keyOffset = offset
      frame.isMergeKey = isPlain && text === '<<' && !this.#isJson
      return
    }
    const value = this.#scalarValue(event, text, isPlain)
    this.#anchor(event, value, null)
    this.#add(value, offset)
  }

  #scalarValue(event: ScalarEvent, text: string, isPlain: boolean): unknown {
    if (event.tagStart >= 0) {
      const tag = this.#text.slice(event.tagStart, event.tagEnd)
      const tagged = taggedScalar(tag, text)
      if (tagged === undefined) this.#refuse(`The tag ${tag} cannot be read here.`, event.tagStart)
      return tagged.value
    }
    if (!isPlain) return text
    return this.#isJson ? parseJson(text).value : plainScalar(text)
  }

  #open(
    node: Node,
    event: { start: number; anchorStart: number; anchorEnd: number; tagStart: number; tagEnd: number },
  ): void {
    const parent = this.#frames.at(-1)
    if (parent !== undefined && !Array.isArray(parent.node) && parent.key === null) {
      this.#refuse('A key must be text, not an object or a list.', event.start)
    }
    const tag = event.tagStart < 0 ? '' : this.#text.slice(event.tagStart, event.tagEnd)
    if (!['', '!', '!!map', '!!seq'].includes(tag)) this.#refuse(`The tag ${tag} cannot be read here.`, event.tagStart)
    const key = parent === undefined ? '' : (parent.key ?? parent.place.members.size)
    const place: NodePosition = { parent: parent?.place ?? null, key, offset: event.start, members: new Map() }
    this.#places.set(node, { place })
    const frame: Frame = { node, place, key: null, keyOffset: -1, isMergeKey: false, merged: [] }
    this.#anchor(event, node, frame)
    this.#add(node, event.start)
    this.#frames.push(frame)
  }

  #anchor(event: { anchorStart: number; anchorEnd: number }, value: unknown, frame: Frame | null): void {
    if (event.anchorStart >= 0)
      this.#anchors.set(this.#text.slice(event.anchorStart, event.anchorEnd), { value, frame })
  }

  #add(value: unknown, offset: number): void {
    const frame = this.#frames.at(-1)
    if (frame === undefined) {
      this.#root = { value }
      return
    }
    const { node, place } = frame
    if (Array.isArray(node)) {
      place.members.set(node.length, { key: offset, value: offset })
      node.push(value)
      return
    }
    if (frame.key === null) this.#refuse('A key must be text, not an object or a list.', offset)
    const { key } = frame
    frame.key = null
    if (frame.isMergeKey) {
      frame.merged.push(value)
      return
    }
    if (place.members.has(key)) this.#reportDuplicate(frame, key)
    if (place.members.size >= maxMembers) tooManyMembers(place.key)
    place.members.set(key, { key: frame.keyOffset, value: offset < 0 ? frame.keyOffset : offset })
    setMember(node, key, value)
  }

  #close(): void {
    const frame = this.#frames.pop()
    if (frame === undefined || !isObject(frame.node)) return
    for (const source of frame.merged.flat()) {
      if (!isObject(source)) this.#refuse('`<<` takes an object, or a list of objects, to merge.', frame.place.offset)
      this.#merge(frame.node, frame.place, source)
    }
  }

  #merge(node: JsonObject, place: NodePosition, source: JsonObject): void {
    const positions = this.#places.get(source)?.place.members
    for (const [key, value] of Object.entries(source)) {
      if (++this.#merged > maxMerged) tooLarge(`\`<<\` brings in more than ${maxMerged} members.`)
      if (Object.hasOwn(node, key)) continue
      setMember(node, key, value)
      const position = positions?.get(key)
      if (position !== undefined) place.members.set(key, position)
    }
  }

  #reportDuplicate(frame: Frame, key: string): void {
    if (this.#problems.length >= maxProblems) return
    const { node } = frame
    const { line } = this.#places.atKey(node, key)
    frame.place.members.set(key, { key: frame.keyOffset, value: frame.keyOffset })
    const where = line === undefined ? '' : `, on line ${line},`
    const message = `\`${key}\` is written twice; the first one${where} is lost.`
    this.#problems.push(problem('manifest/duplicate-key', 'warning', message, this.#places.atKey(node, key)))
  }

  #refuse(message: string, offset: number): never {
    throw new ConnectorError('manifest/syntax', message, { at: this.#places.locate('', offset) })
  }
}

/** Throws ConnectorError `manifest/syntax` when the object is not JSON: too deep, circular, or holding functions. */
export function importObject(source: object, file?: string): Parsed {
  const places = new Places(null, file)
  const open = new Set<object>()
  // An object met twice is copied once: sharing keeps a small manifest from growing without bound.
  const copies = new Map<object, unknown>()
  let values = 0

  const copy = (value: unknown, parent: NodePosition | null, key: string | number, depth: number): unknown => {
    if (typeof value === 'function' || typeof value === 'symbol') {
      throw new ConnectorError('manifest/syntax', `A manifest is plain data; \`${key}\` holds a ${typeof value}.`)
    }
    if (typeof value !== 'object' || value === null || value instanceof Float) return value
    if (value instanceof Date) return value.toISOString()
    if (open.has(value)) throw new ConnectorError('manifest/circular-reference', `\`${key}\` contains itself.`)
    const known = copies.get(value)
    if (known !== undefined) return known
    if (depth > maxDepth) {
      throw new ConnectorError('manifest/syntax', `The manifest is nested deeper than ${maxDepth} levels.`)
    }
    open.add(value)
    if (Object.keys(value).length > maxMembers && !Array.isArray(value)) tooManyMembers(key)
    const place: NodePosition = { parent, key, offset: -1, members: new Map() }
    const node: Node = Array.isArray(value) ? [] : {}
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      if (++values > maxValues) tooManyValues()
      const own = Array.isArray(node) ? Number(name) : name
      place.members.set(own, { key: -1, value: -1 })
      if (Array.isArray(node)) node.push(copy(member, place, own, depth + 1))
      else setMember(node, name, copy(member, place, own, depth + 1))
    }
    open.delete(value)
    places.set(node, { place })
    copies.set(value, node)
    return node
  }

  return { value: copy(source, null, '', 0), places, problems: [] }
}
