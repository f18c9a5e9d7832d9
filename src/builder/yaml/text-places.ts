/** Places in the text ↔ places in what it says, by position as the editor counts: a line break is one character. */
import { locate, type SourceNode } from '../../document/source-tree.ts'
import { withoutByteOrderMark } from '../../document/open-document.ts'
import type { Path } from '../../document/value-path.ts'
import { treeOf } from '../../document/tree-of.ts'
import { asLines, lineBreakOf } from './line-break.ts'

/** From where to where this is written, or the nearest thing around it that is. Null where the text cannot be read. */
export function textRange(text: string, path: Path): { readonly from: number; readonly to: number } | null {
  const { lines, shift } = counted(text)
  const tree = treeOf(lines)
  const step = (tree === null ? null : locate(tree, path))?.steps.at(-1)
  if (step === undefined) return null
  const from = shift + (step.held?.start ?? step.start)
  // A part ends with its last character: the line break after it belongs to the text.
  return { from, to: Math.max(from, shift + step.end - 1) }
}

/** What is written there; the path of what is around it where that is nothing of its own. */
export function pathAt(text: string, position: number): Path {
  const { lines, shift } = counted(text)
  const tree = treeOf(lines)
  return tree?.root == null ? [] : within(tree.root, position - shift - tree.start)
}

function counted(text: string): { lines: string; shift: number } {
  const unmarked = withoutByteOrderMark(text)
  return { lines: asLines(unmarked, lineBreakOf(unmarked)), shift: text.length - unmarked.length }
}

function within(root: SourceNode, position: number): Path {
  const path: (string | number)[] = []
  let node = root
  let rest = position
  while (node.kind === 'map' || node.kind === 'list') {
    const index = node.entries.findLastIndex((entry) => entry.at <= rest)
    const entry = node.entries[index]
    if (entry === undefined) break
    path.push(entry.key ?? index)
    rest -= entry.at + entry.valueAt
    node = entry.node
  }
  return path
}
