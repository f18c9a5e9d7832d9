/**
 * A text as a tree of parts with their values and positions. Positions are relative to the parent,
 * so that a change leaves siblings as they are: only the parts on the path to the change are rebuilt.
 */
import { mergeMembers } from '../engine/manifest/read-yaml.ts'
import { type TreeObject, setMember } from '../engine/manifest/tree.ts'
import type { Path } from './value-path.ts'

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded'

type Common = {
  /** Number of characters, including brackets, quotes and the header of a block scalar. */
  readonly length: number
  readonly value: unknown
  /** The name after `&`, or after `*` for an alias. */
  readonly anchor: string | null
  /** An anchor or a tag precedes it. */
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
  /** As written, quotes included. */
  readonly keyLength: number
  /** From the key to the end of its colon, or of the dash; null where there is none, as in `? key`. */
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
  /** It has an anchor or an alias: what one part says may depend on another. */
  readonly isTangled: boolean
}

/** Why a text cannot be read. */
export type DocumentProblem = { readonly message: string; readonly line: number; readonly column: number }

/** The end of an entry, from the start of its collection on. */
export function entryEnd(entry: Entry): number {
  return entry.at + entry.valueAt + entry.node.length
}

/** The value of a map: its own members override those of `<<`, and the last of a name overrides the first. */
export function mapValue(entries: readonly Entry[]): TreeObject {
  const value: TreeObject = {}
  for (const { key, node, isMerge } of entries) if (!isMerge) setMember(value, key ?? '', node.value)
  const merged = entries.filter(({ isMerge }) => isMerge).map(({ node }) => node.value)
  mergeMembers(value, merged, { members: 0 }, 0)
  return value
}

/** The entry of this name or position, as written. */
function entryAt(node: Collection, key: string | number): { entry: Entry; index: number } | null {
  const index =
    node.kind === 'list' ? Number(key) : node.entries.findLastIndex((entry) => !entry.isMerge && entry.key === `${key}`)
  const entry = node.entries[index]
  return entry === undefined ? null : { entry, index }
}

/** One part of the text on the path to another. */
export type SourceStep = {
  readonly node: SourceNode
  readonly start: number
  readonly end: number
  /** Its entry in the parent; null for the root. */
  readonly held: { readonly entry: Entry; readonly index: number; readonly start: number } | null
}

export type Located = {
  /** From the root to the last part that is written. */
  readonly steps: readonly [SourceStep, ...SourceStep[]]
  /** The rest of the path, which is not written: missing, or brought in by an alias or `<<`. */
  readonly rest: Path
}

/** Null for a text without a value. */
export function locate({ root, start }: SourceTree, path: Path): Located | null {
  if (root === null) return null
  const steps: [SourceStep, ...SourceStep[]] = [{ node: root, start, end: start + root.length, held: null }]
  for (const [depth, key] of path.entries()) {
    const { node, start: from } = steps.at(-1) as SourceStep
    const found = node.kind === 'map' || node.kind === 'list' ? entryAt(node, key) : null
    if (found === null) return { steps, rest: path.slice(depth) }
    steps.push(stepTo(from, found.entry, found.index))
  }
  return { steps, rest: [] }
}

/** The part that an entry of the collection holds. */
export function stepTo(from: number, entry: Entry, index: number): SourceStep {
  const start = from + entry.at
  const valueStart = start + entry.valueAt
  return {
    node: entry.node,
    start: valueStart,
    end: valueStart + entry.node.length,
    held: { entry, index, start },
  }
}
