/** The manifest's text in an editor. Loaded on demand: most of it is CodeMirror. */
import { setDiagnostics } from '@codemirror/lint'
import { useEffect, useRef } from 'react'
import type { ManifestProblem } from '../../server/wire/problem.ts'
import { useSessionStore } from '../session/use-session.tsx'
import { useTemplateNames } from '../templates/use-template-names.ts'
import { diagnosticsOf } from './diagnostics.ts'
import { type OpenEditor, openEditor } from './open-editor.ts'

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
    const opened = openEditor(host.current, { store, names: () => latest.current })
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
