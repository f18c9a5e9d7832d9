/**
 * A text as a tree that knows what each part is worth and where it stands. Places are told from the parent's start on,
 * so that a change leaves every part beside it as it is: only the way down to the change is built anew.
 */
import type { JsonObject } from '../engine/manifest/tree.ts'
import { isObject, setMember } from '../engine/manifest/tree.ts'

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded'

type Common = {
  /** From its first character to behind its last one: brackets, quotes and the header of a block text are part of it. */
  readonly length: number
  readonly value: unknown
  /** The name behind `&`, or behind `*` for an alias. */
  readonly anchor: string | null
  /** An anchor or a tag stands before it. */
  readonly hasMarks: boolean
}
export type Collection = Common & {
  readonly kind: 'map' | 'list'
  readonly isFlow: boolean
  readonly entries: readonly Entry[]
}
export type Scalar = Common & { readonly kind: 'scalar'; readonly style: ScalarStyle }
export type Alias = Common & { readonly kind: 'alias' }
export type SourceNode = Collection | Scalar | Alias

/** A member of a collection. */
export type Entry = {
  /** From the start of the collection to the key, or to the dash. */
  readonly at: number
  /** The name of the member; null in a list. */
  readonly key: string | null
  /** As it is written, quotes included. */
  readonly keyLength: number
  /** From the key to behind its colon, or the dash; null where there is none, as in `? key`. */
  readonly markEnd: number | null
  /** From the key, or the dash, to the value. */
  readonly valueAt: number
  readonly node: SourceNode
  /** `<<`, which brings in the members of another map. */
  readonly isMerge: boolean
}

export type SourceTree = {
  readonly text: string
  /** Null for a text that holds comments at most. */
  readonly root: SourceNode | null
  readonly start: number
  readonly isJson: boolean
  /** An anchor, an alias or a directive: then no part can be read without the others. */
  readonly isTangled: boolean
}

/** The end of an entry, from the start of its collection on. */
export function endOf(entry: Entry): number {
  return entry.at + entry.valueAt + entry.node.length
}

/** What a map is worth: own members win over those that `<<` brings, and the last of one name over the first. */
export function mapValue(entries: readonly Entry[]): JsonObject {
  const value: JsonObject = {}
  for (const { key, node, isMerge } of entries) if (!isMerge) setMember(value, key ?? '', node.value)
  for (const { node, isMerge } of entries) {
    if (!isMerge) continue
    for (const source of [node.value].flat()) {
      if (!isObject(source)) throw new Unreadable('`<<` takes an object, or a list of objects, to merge')
      for (const [key, member] of Object.entries(source)) if (!Object.hasOwn(value, key)) setMember(value, key, member)
    }
  }
  return value
}

/** Why a text is no tree; what its author is told about it, the engine's own reader says. */
export class Unreadable extends Error {}

/** The entry of this name or place, as the author wrote it. */
export function entryAt(node: Collection, key: string | number): { entry: Entry; index: number } | null {
  const index =
    node.kind === 'list' ? Number(key) : node.entries.findLastIndex((entry) => !entry.isMerge && entry.key === `${key}`)
  const entry = node.entries[index]
  return entry === undefined ? null : { entry, index }
}
