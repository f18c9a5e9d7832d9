/** A path → where in the text that part is written, or how far along the path anything is. */
import { entryAt, type Entry, type SourceNode, type SourceTree } from './source-tree.ts'
import type { Path } from './path.ts'

/** One part of the text on the way to another. */
export type Step = {
  readonly node: SourceNode
  readonly start: number
  readonly end: number
  /** How it stands in the part around it; null for the root. */
  readonly held: { readonly entry: Entry; readonly index: number; readonly start: number } | null
}

export type Located = {
  /** From the root to the last part that is written. */
  readonly steps: readonly [Step, ...Step[]]
  /** What of the path is not written below that part: it is missing, or brought in by an alias or by `<<`. */
  readonly rest: Path
}

/** Null for a text without a value. */
export function locate({ root, start }: SourceTree, path: Path): Located | null {
  if (root === null) return null
  const steps: [Step, ...Step[]] = [{ node: root, start, end: start + root.length, held: null }]
  for (const [depth, key] of path.entries()) {
    const { node, start: from } = steps.at(-1) as Step
    const found = node.kind === 'map' || node.kind === 'list' ? entryAt(node, key) : null
    if (found === null) return { steps, rest: path.slice(depth) }
    steps.push(stepTo(from, found.entry, found.index))
  }
  return { steps, rest: [] }
}

/** The part that an entry of the collection at this place holds. */
export function stepTo(from: number, entry: Entry, index: number): Step {
  const start = from + entry.at
  const valueStart = start + entry.valueAt
  return {
    node: entry.node,
    start: valueStart,
    end: valueStart + entry.node.length,
    held: { entry, index, start },
  }
}
