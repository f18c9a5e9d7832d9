/** A bar next to the lines of what the form showed, until one edits or goes elsewhere. */
import { type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'

export type TextRange = { readonly from: number; readonly to: number }

export const markPlace = StateEffect.define<TextRange>()

/** A longer part is marked at its beginning. */
const mostLines = 500
const line = Decoration.line({ class: 'cm-place' })

const marked = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(markPlace)) continue
      const { doc } = transaction.state
      const first = doc.lineAt(Math.min(effect.value.from, doc.length)).number
      const last = doc.lineAt(Math.min(Math.max(effect.value.to, effect.value.from), doc.length)).number
      const count = Math.min(last - first + 1, mostLines)
      return Decoration.set(Array.from({ length: count }, (_, index) => line.range(doc.line(first + index).from)))
    }
    return transaction.docChanged || transaction.isUserEvent('select') ? Decoration.none : before
  },
  provide: (field) => EditorView.decorations.from(field),
})

const look = EditorView.theme({ '.cm-place': { boxShadow: 'inset 3px 0 0 var(--leaf)' } })

export const placeMark: Extension = [marked, look]
