/** Brings a place of the text into sight, with the cursor on it. */
import { EditorView } from '@codemirror/view'
import type { YamlTarget } from './spot.ts'
import { positionOf } from './text-places.ts'

export function reveal(view: EditorView, target: YamlTarget, takesFocus = true): void {
  const { doc } = view.state
  const position = 'path' in target ? positionOf(view.state.sliceDoc(), target.path) : positionAt(view, target)
  if (position === null) return
  const anchor = Math.min(position, doc.length)
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
  if (takesFocus) view.focus()
}

function positionAt({ state: { doc } }: EditorView, { line, column }: { line: number; column: number }): number {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines))
  return Math.min(found.from + Math.max(column - 1, 0), found.to)
}
