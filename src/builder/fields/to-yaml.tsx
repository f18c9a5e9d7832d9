/** From a field to its line in the text. */
import { follow } from '../../document/follow.ts'
import type { Path } from '../../document/value-path.ts'
import { useSessionStore } from '../session/use-session.tsx'
import { showInYaml } from '../yaml/yaml-target.ts'
import './to-yaml.css'

/** For the pointer: with the keyboard, switching to YAML opens the text at the field one came from. */
export function ToYaml({ at, label }: { at: Path; label: string }) {
  const store = useSessionStore()
  return (
    <button
      type="button"
      className="to-yaml"
      tabIndex={-1}
      onClick={() => showInYaml({ path: follow(store.get().document.value, at).writtenAt })}
    >
      <span className="hidden">Show {label} in </span>yaml
    </button>
  )
}
