/** A tree → how its author lays out what is nested, so that what is added looks like the rest. */
import { columnOf } from './characters.ts'
import type { Collection, SourceNode, SourceTree } from './source-tree.ts'

export type Layout = {
  readonly lineEnd: string
  /** How much deeper a map stands than the key it belongs to. */
  readonly step: number
  /** How much deeper a list stands than the key it belongs to. */
  readonly listStep: number
  /** What one level of a JSON document is indented by; null when all of it stands on one line. */
  readonly jsonIndent: string | null
  /** What JSON has behind a colon or a comma on one line. */
  readonly jsonGap: '' | ' '
}

const layouts = new WeakMap<SourceTree, Layout>()

export function layoutOf(tree: SourceTree): Layout {
  const known = layouts.get(tree)
  if (known !== undefined) return known
  const { text } = tree
  const found = steps(tree)
  const layout: Layout = {
    lineEnd: /\r?\n|\r/.exec(text)?.[0] ?? '\n',
    step: found.step ?? 2,
    listStep: found.listStep ?? 2,
    jsonIndent: tree.isJson && !/[\n\r]/.test(text.trim()) ? null : (/[\n\r]([ \t]+)\S/.exec(text)?.[1] ?? '  '),
    jsonGap: /[}\]"\w][,:] /.test(text) || !/[,:]/.test(text) ? ' ' : '',
  }
  layouts.set(tree, layout)
  return layout
}

type Steps = { step: number | null; listStep: number | null }

/** The first map below a map and the first list below a map tell. */
function steps({ text, root, start }: SourceTree): Steps {
  const found: Steps = { step: null, listStep: null }
  const look = (node: SourceNode, at: number): void => {
    if (!isBlock(node)) return
    const column = columnOf(text, at)
    for (const entry of node.entries) {
      if (found.step !== null && found.listStep !== null) return
      const valueStart = at + entry.at + entry.valueAt
      if (node.kind === 'map' && isBlock(entry.node)) {
        const name = entry.node.kind === 'map' ? 'step' : 'listStep'
        found[name] ??= columnOf(text, valueStart) - column
      }
      look(entry.node, valueStart)
    }
  }
  if (root !== null) look(root, start)
  return found
}

export function isBlock(node: SourceNode): node is Collection & { readonly isFlow: false } {
  return (node.kind === 'map' || node.kind === 'list') && !node.isFlow
}
