/** Remembers, for every object and list of a tree, where in the author's document it was written. */
import type { SourceLocation } from '../../std/errors.ts'
import { isNode, memberOfNode, type Node } from './tree.ts'

/** Offsets into the text: of the key (the dash, for a list) and of the value. -1 when there is no text. */
export type Position = { readonly key: number; readonly value: number }

/** One object or list as the author wrote it. */
export type NodePosition = {
  readonly parent: NodePosition | null
  readonly key: string | number
  readonly offset: number
  readonly members: MemberPositions
}

/** Fewer than this are found as fast by looking at each. */
const fewMembers = 16

/**
 * Key → position, in the order of the text. A map for each of the fifty thousand nodes of a large manifest would take as
 * long as reading it: most have a few members, and their positions are rarely needed.
 */
export class MemberPositions {
  readonly #keys: (string | number)[] = []
  /** Of the key and of the value, in turn. */
  readonly #offsets: number[] = []
  #index: Map<string | number, number> | null = null

  get size(): number {
    return this.#keys.length
  }

  has(key: string | number): boolean {
    return this.#find(key) >= 0
  }

  get(key: string | number): Position | undefined {
    const at = this.#find(key)
    return at < 0 ? undefined : { key: this.#offsets[2 * at] as number, value: this.#offsets[2 * at + 1] as number }
  }

  set(key: string | number, position: Position): void {
    const at = this.#find(key)
    if (at < 0) this.add(key, position.key, position.value)
    else {
      this.#offsets[2 * at] = position.key
      this.#offsets[2 * at + 1] = position.value
    }
  }

  /** A key that is not there yet. */
  add(key: string | number, keyOffset: number, valueOffset: number): void {
    this.#index?.set(key, this.#keys.length)
    this.#keys.push(key)
    this.#offsets.push(keyOffset, valueOffset)
  }

  #find(key: string | number): number {
    // Of a list, mostly: the position is the key.
    if (typeof key === 'number' && this.#keys[key] === key) return key
    if (this.#keys.length <= fewMembers) return this.#keys.indexOf(key)
    this.#index ??= new Map(this.#keys.map((one, at) => [one, at]))
    return this.#index.get(key) ?? -1
  }
}

/** What a node of the resolved tree was made from; a member comes from the first of `moved`, `place`, `base` to have it. */
export type Origin = {
  readonly place: NodePosition
  /** What `$ref` brought in. */
  readonly base?: Origin | undefined
  /** Members written elsewhere: by `$parameters` here or above, or as a bare value that a reference names. */
  readonly moved?: ReadonlyMap<string | number, MemberPosition> | undefined
}

/** A member of an author's object. */
export type MemberPosition = { readonly place: NodePosition; readonly key: string | number }

/** Where the author wrote the nodes of a tree. */
export class Places {
  readonly #origins = new WeakMap<object, Origin>()
  readonly #text: string | null
  readonly #file: string | undefined
  #lineStarts: number[] | null = null

  constructor(text: string | null, file?: string) {
    this.#text = text
    this.#file = file
  }

  set(node: object, origin: Origin): void {
    this.#origins.set(node, origin)
  }

  get(node: object): Origin | undefined {
    return this.#origins.get(node)
  }

  /** Where the value was written: the node itself, or its member `key`. */
  at(node: object, key?: string | number): SourceLocation {
    const origin = this.#origins.get(node)
    if (origin === undefined) return this.locate('', 0)
    const member = key === undefined ? undefined : memberPosition(origin, key)
    if (member !== undefined) return this.#locateMember(member, 'value')
    return this.locate(pointerOf(origin.place), origin.place.offset)
  }

  /** Where the key itself was written. */
  atKey(node: object, key: string | number): SourceLocation {
    const origin = this.#origins.get(node)
    const member = origin && memberPosition(origin, key)
    return member === undefined ? this.at(node) : this.#locateMember(member, 'key')
  }

  #locateMember({ place, key }: MemberPosition, part: keyof Position): SourceLocation {
    return this.locate(`${pointerOf(place)}/${escape(key)}`, place.members.get(key)?.[part] ?? -1)
  }

  /** Whether the author wrote this key in the component or in what it refers to; keys from `$parameters` are not. */
  wrote(node: object, key: string): boolean {
    for (let origin = this.#origins.get(node); origin !== undefined; origin = origin.base) {
      if (origin.place.members.has(key)) return true
    }
    return false
  }

  locate(pointer: string, offset: number): SourceLocation {
    const file = this.#file === undefined ? {} : { file: this.#file }
    if (this.#text === null || offset < 0) return { pointer, ...file }
    this.#lineStarts ??= [
      0,
      ...Array.from(this.#text.matchAll(/\r\n|\n|\r/g), (found) => found.index + found[0].length),
    ]
    const line = lastNotAfter(this.#lineStarts, offset)
    return { pointer, ...file, line: line + 1, column: offset - (this.#lineStarts[line] ?? 0) + 1 }
  }
}

export function memberPosition(origin: Origin, key: string | number): MemberPosition | undefined {
  for (let layer: Origin | undefined = origin; layer !== undefined; layer = layer.base) {
    const moved = layer.moved?.get(key)
    if (moved !== undefined) return moved
    if (layer.place.members.has(key)) return { place: layer.place, key }
  }
  return undefined
}

/** The JSON pointer of a place (RFC 6901). */
function pointerOf(place: NodePosition): string {
  const segments: string[] = []
  for (let at: NodePosition = place; at.parent !== null; at = at.parent) segments.push(escape(at.key))
  return segments.length === 0 ? '' : `/${segments.toReversed().join('/')}`
}

function escape(segment: string | number): string {
  return String(segment).replaceAll('~', '~0').replaceAll('/', '~1')
}

function lastNotAfter(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** What is new in the copy gets the position of the part it replaced, or of the component it was added to. */
export function keepPlaces<Copy extends object>(copy: Copy, original: object, places: Places): Copy {
  const origin = places.get(original)
  if (origin === undefined || places.get(copy) !== undefined) return copy
  places.set(copy, origin)
  forEachNode(copy as unknown as Node, (member, key) => {
    const before = memberOfNode(original as Node, key)
    if (isNode(before)) keepPlaces(member, before, places)
    else placeWithin(member, fieldOrigin(origin, key), places)
  })
  return copy
}

function placeWithin(node: Node, origin: Origin, places: Places): void {
  if (places.get(node) !== undefined) return
  places.set(node, origin)
  forEachNode(node, (member) => placeWithin(member, origin, places))
}

/** The position of the field itself, without members. */
function fieldOrigin(holder: Origin, key: string | number): Origin {
  const member = memberPosition(holder, key)
  if (member === undefined) return { place: { ...holder.place, members: new MemberPositions() } }
  const offset = member.place.members.get(member.key)?.value ?? -1
  return { place: { parent: member.place, key: member.key, offset, members: new MemberPositions() } }
}

function forEachNode(node: Node, visit: (member: Node, key: string | number) => void): void {
  for (const [name, member] of Object.entries(node)) {
    if (isNode(member)) visit(member, Array.isArray(node) ? Number(name) : name)
  }
}
