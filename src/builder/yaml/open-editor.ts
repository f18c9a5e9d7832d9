/** An editor for the text of a session, alive until it is closed. */
import { autocompletion } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { Path } from '../../document/value-path.ts'
import { editorParts } from './editor-parts.ts'
import { editsTo, lineBreaks, editorText, takeText } from './follow-session.ts'
import { asLines, lineBreakOf } from './line-break.ts'
import { completeManifest, type CompletionSources } from './manifest-completion.ts'
import { onWish, takeWish, watchSpot, type YamlTarget } from './yaml-target.ts'
import { markPlace, placeMark } from './place-mark.ts'
import { pathAt, textRange } from './text-places.ts'

export type OpenEditor = { readonly view: EditorView; readonly close: () => void }

export type EditorSources = CompletionSources & {
  /** Where the text is shown first; null for its beginning. */
  readonly place: () => Path | null
}

export function openEditor(host: HTMLElement, sources: EditorSources): OpenEditor {
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
  const place = sources.place()
  if (place !== null) reveal(view, { path: place }, false)
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
      placeMark,
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
  const range = 'path' in target ? textRange(view.state.sliceDoc(), target.path) : null
  const position = 'path' in target ? range?.from : positionAt(view, target)
  if (position === undefined) return
  const anchor = Math.min(position, doc.length)
  // Of a stream, its beginning; of one line, what is around it.
  const isLong = range !== null && doc.lineAt(Math.min(range.to, doc.length)).number - doc.lineAt(anchor).number > 8
  const scroll = EditorView.scrollIntoView(anchor, isLong ? { y: 'start', yMargin: 48 } : { y: 'center' })
  view.dispatch({ selection: { anchor }, effects: range === null ? scroll : [scroll, markPlace.of(range)] })
  if (takesFocus) view.focus()
}

function positionAt({ state: { doc } }: EditorView, { line, column }: { line: number; column: number }): number {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines))
  return Math.min(found.from + Math.max(column - 1, 0), found.to)
}
