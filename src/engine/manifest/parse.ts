/** YAML or JSON text, or a plain object → a tree that remembers where each value was written. */
import { SCALAR_STYLE } from 'js-yaml'
import { ConnectorError, type Problem } from '../../std/errors.ts'
import { Float } from '../../std/json.ts'
import { maxMembers, maxProblems, maxValues, tooManyMembers, tooManyValues } from './limits.ts'
import { MemberPositions, type NodePosition, Places } from './places.ts'
import { problem } from './problem.ts'
import {
  type OpenNode,
  isJson,
  lastOf,
  type Recorder,
  readYamlSteps,
  type ScalarEvent,
  type Steps,
  UnreadableText,
} from './read-yaml.ts'
import { type TreeObject, type Node, setMember } from './tree.ts'
import { maxDepth } from './yaml-parts.ts'

export type Parsed = { value: unknown; places: Places; problems: Problem[] }

/** Throws ConnectorError `manifest/syntax` when the text is not one YAML or JSON document. */
export function parseText(source: string, file?: string): Parsed {
  return lastOf(parseSteps(source, file))
}

/** The same, step by step. */
export function* parseSteps(source: string, file?: string): Steps<Parsed> {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source
  const places = new Places(text, file)
  const recorder = new PositionRecorder(places)
  try {
    const root = yield* readYamlSteps(text, isJson(text), recorder)
    if (root === null) throw new UnreadableText('The manifest is empty.', 0)
    return { value: root.value, places, problems: recorder.problems }
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error
    throw new ConnectorError(error.code, error.message, { at: places.locate('', error.offset) })
  }
}

type Positions = { readonly place: NodePosition; keyOffset: number }

/** Records where every member is written, and which of them are written twice. */
class PositionRecorder implements Recorder<Positions> {
  readonly problems: Problem[] = []
  readonly #places: Places

  constructor(places: Places) {
    this.#places = places
  }

  key(event: ScalarEvent, _text: string, holder: OpenNode<Positions>): void {
    holder.kept.keyOffset = offsetOf(event)
  }

  scalar(event: ScalarEvent, _value: unknown, holder: OpenNode<Positions> | undefined): void {
    this.#add(holder, offsetOf(event))
  }

  alias(event: { anchorStart: number }, _value: unknown, holder: OpenNode<Positions> | undefined): void {
    this.#add(holder, event.anchorStart - 1)
  }

  open(event: { start: number }, node: Node, holder: OpenNode<Positions> | undefined): Positions {
    const key = holder === undefined ? '' : (holder.key?.text ?? holder.kept.place.members.size)
    const place: NodePosition = {
      parent: holder?.kept.place ?? null,
      key,
      offset: event.start,
      members: new MemberPositions(),
    }
    this.#places.set(node, { place })
    this.#add(holder, event.start)
    return { place, keyOffset: -1 }
  }

  merged({ kept }: OpenNode<Positions>, key: string, source: TreeObject): void {
    const position = this.#places.get(source)?.place.members.get(key)
    if (position !== undefined) kept.place.members.set(key, position)
  }

  restart(): void {
    this.problems.length = 0
  }

  #add(holder: OpenNode<Positions> | undefined, offset: number): void {
    if (holder === undefined) return
    const { node, key, kept } = holder
    const { place, keyOffset } = kept
    if (key === null) {
      place.members.add(place.members.size, offset, offset)
      return
    }
    if (key.isMerge) return
    const isTwice = place.members.has(key.text)
    if (isTwice) this.#reportDuplicate(node, key.text, kept)
    if (place.members.size >= maxMembers) tooManyMembers(place.key)
    const valueOffset = offset < 0 ? keyOffset : offset
    if (isTwice) place.members.set(key.text, { key: keyOffset, value: valueOffset })
    else place.members.add(key.text, keyOffset, valueOffset)
  }

  #reportDuplicate(node: Node, key: string, { place, keyOffset }: Positions): void {
    if (this.problems.length >= maxProblems) return
    const { line } = this.#places.atKey(node, key)
    place.members.set(key, { key: keyOffset, value: keyOffset })
    const where = line === undefined ? '' : `, on line ${line},`
    const message = `\`${key}\` is written twice; the first one${where} is ignored.`
    this.problems.push(problem('manifest/duplicate-key', 'warning', message, this.#places.atKey(node, key)))
  }
}

function offsetOf({ style, valueStart }: ScalarEvent): number {
  const isQuoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED
  return valueStart < 0 ? -1 : valueStart - (isQuoted ? 1 : 0)
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
    const place: NodePosition = { parent, key, offset: -1, members: new MemberPositions() }
    const node: Node = Array.isArray(value) ? [] : {}
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      if (++values > maxValues) tooManyValues()
      const own = Array.isArray(node) ? Number(name) : name
      place.members.add(own, -1, -1)
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
