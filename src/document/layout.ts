/** A tree → its indentation style, so that additions look like the rest. */
import { columnOf } from './characters.ts'
import type { Collection, SourceNode, SourceTree } from './source-tree.ts'

export type Layout = {
  readonly lineEnd: string
  /** The indentation of a map relative to its key. */
  readonly step: number
  /** The indentation of a list relative to its key. */
  readonly listStep: number
  /** The indentation of one level of a JSON document; null when it is on one line. */
  readonly jsonIndent: string | null
  /** What follows a colon or a comma in JSON on one line. */
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

/** Taken from the first map and the first list inside a map. */
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
