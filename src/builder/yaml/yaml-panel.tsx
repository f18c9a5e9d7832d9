/** The manifest as text, and what is wrong with it. */
import { lazyPart } from '../lazy-part.tsx'
import { useRoute } from '../router.ts'
import { useSession, useSessionStore } from '../session/use-session.tsx'
import { ProblemList } from './problem-list.tsx'
import { useManifestProblems } from './use-manifest-problems.ts'
import { switchView } from './switch-view.ts'
import './yaml-panel.css'

const YamlEditor = lazyPart(() => import('./yaml-editor.tsx').then((loaded) => loaded.YamlEditor), {
  waiting: <PlainText />,
  isLarge: true,
})

export function YamlPanel() {
  const problems = useManifestProblems()
  return (
    <section className="yaml-panel" aria-label="YAML">
      <YamlEditor problems={problems} />
      <div className="keys">
        <p id="yaml-keys">Tab indents; Esc, then Tab leaves. Ctrl-Space completes, Ctrl-F searches.</p>
        <ShowInForm />
      </div>
      <ProblemList problems={problems} />
    </section>
  )
}

/** Until the editor is there, the text can be read already. */
function PlainText() {
  const text = useSession((session) => session.text)
  return <pre className="yaml-editor plain">{text.slice(0, 20_000)}</pre>
}

function ShowInForm() {
  const store = useSessionStore()
  const { part } = useRoute()
  return (
    <button type="button" className="button small quiet" onClick={() => switchView(store, 'form', part)}>
      Show in form
    </button>
  )
}
