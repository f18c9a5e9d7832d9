/** A text that nobody can read as it stands, told where the form is shown: the way to the line, and the way back. */
import { usePlace } from '../router.ts'
import { useSession, useSessionStore } from '../session/use-session.tsx'
import { showInYaml } from '../yaml/spot.ts'
import { Banner } from './banner.tsx'

export function UnreadableBanner() {
  const store = useSessionStore()
  const { view } = usePlace()
  const { trouble, document } = useSession((session) => session)
  // Beside the text, its line says so.
  if (trouble === null || view === 'yaml') return null
  const { line, column } = trouble
  return (
    <Banner tone="warning" words={`The YAML cannot be read at line ${line}. The form waits until it is mended.`}>
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
