/** What to do when a small edit does not say what was wished: anchors in the way, or a spelling few people use. */
import { isNode } from '../engine/manifest/tree.ts'
import { locate, type Step, stepTo } from './locate.ts'
import type { Path } from './path.ts'
import type { SourceNode, SourceTree } from './source-tree.ts'
import { spliceValue } from './splice-value.ts'
import { treeOf } from './tree-of.ts'
import { isSame, valueAt } from './value-path.ts'
import { blockOf, flowOf } from './value-text.ts'
import { layoutOf } from './layout.ts'

/** Tries less and less local ways; the last one writes the whole document, which cannot fail. */
export function writeWider(
  tree: SourceTree,
  path: Path,
  goal: unknown,
  splice: (tree: SourceTree) => string | null,
): string {
  const says = (text: string | null): text is string => text !== null && isSame(treeOf(text)?.root?.value, goal)
  if (tree.isTangled) {
    const free = withoutAliases(tree, path)
    const spliced = free === null ? null : splice(free)
    if (says(spliced)) return spliced
  }
  for (let length = path.length; length >= 0; length--) {
    const place = path.slice(0, length)
    const written = inQuotes(tree, place, valueAt(goal, place))
    if (says(written)) return written
  }
  const layout = layoutOf(tree)
  const isFilled = isNode(goal) && Object.keys(goal).length > 0
  return (isFilled ? blockOf(goal, 0, layout) : flowOf(goal)) + layout.lineEnd
}

/** The value in one line, which no comment below its key can come between. */
function inQuotes(tree: SourceTree, path: Path, value: unknown): string | null {
  const located = locate(tree, path)
  if (located === null || located.rest.length > 0 || value === undefined) return null
  return spliceValue(tree, located.steps, value, 'double')
}

/**
 * A change of what an anchor names would change every place that uses its alias. So these places get a copy first, and
 * nothing changes but what was meant.
 */
function withoutAliases(tree: SourceTree, path: Path): SourceTree | null {
  const names = anchorsAround(tree, path)
  let now: SourceTree | null = tree
  while (now !== null) {
    const steps = firstAlias(now, names)
    const alias = steps?.at(-1)
    if (steps === null || alias === undefined) return now
    const text: string | null = spliceValue(now, steps, alias.node.value)
    now = text === null ? null : treeOf(text)
  }
  return null
}

/** The names of what stands on the way to a place, or below it. */
function anchorsAround(tree: SourceTree, path: Path): Set<string> {
  const { steps } = locate(tree, path) ?? { steps: [] }
  const names = new Set<string>()
  const note = (node: SourceNode): void => {
    if (node.kind !== 'alias' && node.anchor !== null) names.add(node.anchor)
  }
  const noteAll = (node: SourceNode): void => {
    note(node)
    if (node.kind === 'map' || node.kind === 'list') for (const entry of node.entries) noteAll(entry.node)
  }
  for (const { node } of steps) note(node)
  const last = steps.at(-1)
  if (last !== undefined) noteAll(last.node)
  return names
}

function firstAlias({ root, start }: SourceTree, names: ReadonlySet<string>): readonly Step[] | null {
  const look = (steps: readonly Step[]): readonly Step[] | null => {
    const step = steps.at(-1) as Step
    if (step.node.kind === 'alias') return names.has(step.node.anchor ?? '') ? steps : null
    if (step.node.kind === 'scalar') return null
    for (const [index, entry] of step.node.entries.entries()) {
      const found = look([...steps, stepTo(step.start, entry, index)])
      if (found !== null) return found
    }
    return null
  }
  return root === null ? null : look([{ node: root, start, end: start + root.length, held: null }])
}
