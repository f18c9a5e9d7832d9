/** The manifest as text. */
import { useSession, useSessionStore } from '../session/use-session.tsx'

export function YamlPanel() {
  const store = useSessionStore()
  const text = useSession((session) => session.text)
  return (
    <textarea
      className="input mono"
      aria-label="Manifest"
      rows={40}
      value={text}
      onChange={({ target }) => store.edit(target.value, 'yaml')}
    />
  )
}
