/** The manifest's text in an editor. Loaded on demand: most of it is CodeMirror. */
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { useEffect, useRef } from 'react'
import type { ManifestProblem } from '../../server/wire/problem.ts'
import { streamsIn } from '../../document/stream-paths.ts'
import type { Path } from '../../document/value-path.ts'
import { findPart } from '../editor/outline-parts.ts'
import { currentRoute } from '../router.ts'
import type { SessionStore } from '../session/session.ts'
import { useSessionStore } from '../session/use-session.tsx'
import { textPlaceOf } from './form-place.ts'
import { lastSpot } from './yaml-target.ts'
import { useTemplateNames } from '../templates/use-template-names.ts'
import { type OpenEditor, openEditor } from './open-editor.ts'
import type { EditorState } from '@codemirror/state'

export function YamlEditor({ problems }: { problems: readonly ManifestProblem[] }) {
  const store = useSessionStore()
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<OpenEditor | null>(null)
  const names = useTemplateNames('pagination')
  const latest = useRef(names)
  useEffect(() => {
    latest.current = names
  }, [names])

  useEffect(() => {
    if (host.current === null) return
    const opened = openEditor(host.current, { store, names: () => latest.current, place: () => shownPlace(store) })
    editor.current = opened
    return () => {
      editor.current = null
      opened.close()
    }
  }, [store])

  useEffect(() => {
    const view = editor.current?.view
    if (view !== undefined) view.dispatch(setDiagnostics(view.state, diagnosticsOf(problems, view.state)))
  }, [problems])

  return <div className="yaml-editor" ref={host} />
}

/** Where the form is: the stream or page in the address, and what was edited last. */
function shownPlace(store: SessionStore): Path | null {
  const { value: root } = store.get().document
  return textPlaceOf(root, findPart(currentRoute().part, streamsIn(root)), lastSpot())
}

/** More would hide each other; the list names them all. */
const mostMarked = 500

function diagnosticsOf(problems: readonly ManifestProblem[], state: EditorState): Diagnostic[] {
  return problems.slice(0, mostMarked).map((problem) => ({
    ...rangeOf(problem, state),
    severity: problem.severity === 'note' ? 'info' : problem.severity,
    message: `${problem.message} ${problem.hint}`,
    renderMessage: () => messageOf(problem),
  }))
}

/** From the reported place to the end of its line. Lines may have been deleted since the server checked. */
function rangeOf({ at: { line = 1, column = 1 } }: ManifestProblem, { doc }: EditorState) {
  const { from, to, text } = doc.line(Math.min(Math.max(line, 1), doc.lines))
  const start = from + Math.min(Math.max(column - 1, 0), text.length)
  // A place after the last letter marks that letter: a mark without width is invisible.
  return { from: start === to ? Math.max(start - 1, from) : start, to: from + text.trimEnd().length || to }
}

function messageOf({ severity, message, hint, code }: ManifestProblem): HTMLElement {
  const box = document.createElement('div')
  const part = (name: string, className: string, text: string) => {
    const made = document.createElement(name)
    made.className = className
    made.textContent = text
    box.append(made)
  }
  part('b', `severity ${severity}`, severity)
  part('span', 'message', ` ${message}`)
  part('p', 'hint', hint)
  part('code', 'code', code)
  return box
}
