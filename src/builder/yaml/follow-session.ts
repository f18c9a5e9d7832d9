/** Editor ↔ session: what is typed becomes an edit of the session, what changes elsewhere appears in the editor. */
import { Annotation, EditorState, type Extension, Text, type Transaction } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import type { SessionStore } from '../session/session.ts'
import { asLines, type LineBreak, lineBreakOf } from './line-break.ts'
import { minimalChange } from './minimal-change.ts'

/** Marks what the session itself brought. */
const fromSession = Annotation.define<true>()

/** The texts of the states that wrote to the session: a megabyte is not put together twice for a letter. */
const written = new WeakMap<EditorState, string>()

/** The session has the one way back, over form and text alike. */
export function editsTo(store: SessionStore): Extension {
  const step = (take: () => void) => () => {
    take()
    return true
  }
  return [
    EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      if (!docChanged || transactions.every((one) => one.annotation(fromSession) === true)) return
      const text = state.sliceDoc()
      written.set(state, text)
      store.edit(text, markOf(transactions))
    }),
    keymap.of([
      { key: 'Mod-z', run: step(store.undo), preventDefault: true },
      { key: 'Mod-y', mac: 'Mod-Shift-z', run: step(store.redo), preventDefault: true },
      { linux: 'Ctrl-Shift-z', win: 'Ctrl-Shift-z', run: step(store.redo), preventDefault: true },
    ]),
  ]
}

/** Letters in a row are undone together, and so are deletions in a row; anything else is a step of its own. */
function markOf(transactions: readonly Transaction[]): string | undefined {
  const kind = ['input.type', 'delete'].find((event) => transactions.some((one) => one.isUserEvent(event)))
  return kind === undefined ? undefined : `yaml ${kind}`
}

export function lineBreaks(lineBreak: LineBreak): Extension {
  return EditorState.lineSeparator.of(lineBreak)
}

/** A plain string would be split by the line break of the editor state, which it may not contain. */
export function editorText(text: string): Text {
  return Text.of(text.split('\n'))
}

/** Brings the session's text into the editor. False where its lines end in another way, which an editor cannot change. */
export function takeText(view: EditorView, text: string): boolean {
  const { state } = view
  // What the editor itself just wrote.
  if (written.get(state) === text) return true
  const lineBreak = lineBreakOf(text)
  if (state.lineBreak !== lineBreak && (text.includes('\r\n') || state.doc.lines > 1)) return false
  const changes = minimalChange(state.doc.toString(), asLines(text, lineBreak))
  if (changes !== null) {
    view.dispatch({
      changes: { ...changes, insert: editorText(changes.insert) },
      annotations: fromSession.of(true),
    })
  }
  return true
}
