/** An editor for the text of a session, alive until it is closed. */
import { autocompletion } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { editorParts } from './editor-parts.ts'
import { editsTo, lineBreaks, editorText, takeText } from './follow-session.ts'
import { asLines, lineBreakOf } from './line-break.ts'
import { completeManifest, type CompletionSources } from './manifest-completion.ts'
import { lastSpot, onWish, takeWish, watchSpot, type YamlTarget } from './yaml-target.ts'
import { pathAt, textPosition } from './text-places.ts'

export type OpenEditor = { readonly view: EditorView; readonly close: () => void }

export function openEditor(host: HTMLElement, sources: CompletionSources): OpenEditor {
  const { store } = sources
  // In a shadow root CodeMirror adopts its style sheets; in the page it would write inline ones, which the policy forbids.
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const view = new EditorView({ state: stateOf(sources), root, parent: root })
  const stopFollowing = store.subscribe(() => {
    if (!takeText(view, store.get().text)) view.setState(stateOf(sources))
  })
  const go = () => {
    const target = takeWish('yaml')
    if (target !== null) reveal(view, target)
  }
  const stopGoing = onWish(go)
  host.addEventListener('keydown', keepOwnKeys)
  const spot = lastSpot()
  if (spot !== null) reveal(view, { path: spot }, false)
  go()
  const stopWatching = watchSpot(() => pathAt(store.get().document.text, view.state.selection.main.head))
  return {
    view,
    close() {
      stopWatching()
      stopFollowing()
      stopGoing()
      host.removeEventListener('keydown', keepOwnKeys)
      view.destroy()
    },
  }
}

function stateOf(sources: CompletionSources): EditorState {
  const { text } = sources.store.get()
  const lineBreak = lineBreakOf(text)
  return EditorState.create({
    doc: editorText(asLines(text, lineBreak)),
    extensions: [
      lineBreaks(lineBreak),
      editsTo(sources.store),
      autocompletion({ icons: false, maxRenderedOptions: 100, override: [completeManifest(sources)] }),
      editorParts,
    ],
  })
}

/** Page shortcuts such as `/` and `?` are plain letters here. The page does not see a shadow root as a text box. */
function keepOwnKeys(event: KeyboardEvent): void {
  const isCommand = event.ctrlKey || event.metaKey || event.key === 'Escape'
  if (!isCommand || event.defaultPrevented) event.stopPropagation()
}

function reveal(view: EditorView, target: YamlTarget, takesFocus = true): void {
  const { doc } = view.state
  const position = 'path' in target ? textPosition(view.state.sliceDoc(), target.path) : positionAt(view, target)
  if (position === null) return
  const anchor = Math.min(position, doc.length)
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
  if (takesFocus) view.focus()
}

function positionAt({ state: { doc } }: EditorView, { line, column }: { line: number; column: number }): number {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines))
  return Math.min(found.from + Math.max(column - 1, 0), found.to)
}
