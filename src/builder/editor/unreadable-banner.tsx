/** YAML that cannot be read, reported where the form is shown: go to the line, or undo. */
import { useRoute } from '../router.ts'
import { useSession, useSessionStore } from '../session/use-session.tsx'
import { showInYaml } from '../yaml/spot.ts'
import { Banner } from './banner.tsx'

export function UnreadableBanner() {
  const store = useSessionStore()
  const { view } = useRoute()
  const { trouble, document } = useSession((session) => session)
  // In the YAML view the line itself is marked.
  if (trouble === null || view === 'yaml') return null
  const { line, column } = trouble
  return (
    <Banner tone="warning" words={`The YAML cannot be read at line ${line}. Fix it to use the form.`}>
      <button type="button" className="button small" onClick={() => showInYaml({ line, column })}>
        Show line {line} in YAML
      </button>
      {document.problem === null && (
        <button type="button" className="button small" onClick={() => store.edit(document.text)}>
          Go back to what could be read
        </button>
      )}
    </Banner>
  )
}
