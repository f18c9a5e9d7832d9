/** References by place, such as `#/streams/0`, follow the items of a list that change their places. */
import { isNode, mapMembers } from '../engine/manifest/tree.ts'
import { says, setIn } from './edit.ts'
import { openDocument, withoutByteOrderMark } from './open-document.ts'
import { holdsReference, isReference, referenceSteps, targetPath } from './references.ts'
import type { SourceNode } from './source-tree.ts'
import { treeOf } from './tree-of.ts'
import { type Path, pointerOf, valueAt } from './value-path.ts'

export type ListChange = {
  readonly list: Path
  /** How many items the list has afterwards. */
  readonly length: number
  /** The index of an item afterwards, or a reference to where it is then. */
  readonly placeOf: (index: number) => number | string
}

/** To be called before the list changes. Every other character stays. */
export function repoint(text: string, { list, length, placeOf }: ListChange): string {
  const root = openDocument(text).value
  return renameReferences(text, (reference) => {
    const steps = referenceSteps(root, reference) ?? []
    const step = steps[list.length]
    if (typeof step?.key !== 'number' || !list.every((key, at) => String(steps[at]?.key) === String(key)))
      return reference
    const place = placeOf(step.key)
    const isStill = place === step.key + (step.segment.startsWith('-') ? length - lengthAt(root, list) : 0)
    if (isStill) return reference
    const segments = steps.map(({ segment }) => segment)
    const start = typeof place === 'string' ? place : `#/${[...segments.slice(0, list.length), place].join('/')}`
    return [start, ...segments.slice(list.length + 1)].join('/')
  })
}

function lengthAt(root: unknown, list: Path): number {
  const items = valueAt(root, list)
  return Array.isArray(items) ? items.length : 0
}

/** Whether a reference outside of this place leads to it, or into it. */
export function isReferredTo(root: unknown, path: Path): boolean {
  const place = pointerOf(path)
  const isInside = (target: Path | null) => target !== null && `${pointerOf(target)}/`.startsWith(`${place}/`)
  return referencePaths(root).some((at) => !isInside(at) && isInside(targetPath(root, valueAt(root, at) as string)))
}

type Rename = (reference: string) => string

function renameReferences(text: string, rename: Rename): string {
  const written = withoutByteOrderMark(text)
  const tree = treeOf(written)
  if (tree === null || tree.root === null) return text
  const root = tree.root.value
  const goal = renamedIn(root, rename, new Map())
  if (goal === root) return text
  let now = written
  // From the last one on, so that the others keep their places.
  for (const { reference, start, end } of writtenReferences(tree.root, tree.start).toReversed()) {
    const renamed = now.slice(start, end).replace(reference, () => rename(reference))
    now = now.slice(0, start) + renamed + now.slice(end)
  }
  if (says(now, goal)) return text.slice(0, text.length - written.length) + now
  // Written with escapes, or repeated by an alias where it is no reference.
  return referencePaths(root).reduce((edited, at) => setIn(edited, at, valueAt(goal, at)), text)
}

function renamedIn(value: unknown, rename: Rename, done: Map<object, unknown>): unknown {
  if (isReference(value)) return rename(value)
  if (!isNode(value) || !holdsReference(value)) return value
  const known = done.get(value)
  if (known !== undefined) return known
  const renamed = mapMembers(value, (member, key) =>
    key === 'config_overrides' ? member : renamedIn(member, rename, done),
  )
  done.set(value, renamed)
  return renamed
}

function referencePaths(root: unknown): Path[] {
  const found: Path[] = []
  const look = (value: unknown, path: Path): void => {
    if (isReference(value)) found.push(path)
    if (!isNode(value) || !holdsReference(value)) return
    for (const [name, member] of Object.entries(value)) {
      if (name !== 'config_overrides') look(member, [...path, Array.isArray(value) ? Number(name) : name])
    }
  }
  look(root, [])
  return found
}

type WrittenReference = { readonly reference: string; readonly start: number; readonly end: number }

/** In the order of the text. What an alias repeats is written once. */
function writtenReferences(node: SourceNode, start: number): WrittenReference[] {
  if (node.kind === 'alias') return []
  if (node.kind === 'scalar') {
    return isReference(node.value) ? [{ reference: node.value, start, end: start + node.length }] : []
  }
  return node.entries.flatMap((entry) =>
    entry.key === 'config_overrides' ? [] : writtenReferences(entry.node, start + entry.at + entry.valueAt),
  )
}
