/** One step back, one step forth. */
import { Icon } from '../icons.tsx'
import { keyLabel } from '../keys/use-keys.ts'
import { useSession, useSessionStore } from '../session/use-session.tsx'

export function UndoButtons() {
  const store = useSessionStore()
  const { canUndo, canRedo } = useSession((session) => session)
  return (
    <span className="undo">
      <button
        type="button"
        className="button quiet icon-only"
        aria-label="Undo"
        title={`Undo ${keyLabel('mod+z')}`}
        disabled={!canUndo}
        onClick={store.undo}
      >
        <Icon name="undo" />
      </button>
      <button
        type="button"
        className="button quiet icon-only"
        aria-label="Redo"
        title={`Redo ${keyLabel('mod+shift+z')}`}
        disabled={!canRedo}
        onClick={store.redo}
      >
        <Icon name="redo" />
      </button>
    </span>
  )
}
