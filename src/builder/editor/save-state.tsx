/** Whether what is seen is on disk, in a word. What keeps it from getting there, a banner says. */
import { Icon } from '../icons.tsx'
import { keyLabel } from '../keys/use-keys.ts'
import { save, useSaveState } from '../session/saving.ts'
import { useSessionStore } from '../session/use-session.tsx'

const words = {
  saved: 'Saved',
  unsaved: 'Unsaved',
  saving: 'Saving',
  waiting: 'Saves when the server is back',
  failed: 'Not saved',
}

export function SaveStatus() {
  const state = useSaveState()
  return (
    <span className="save-state" role="status" data-state={state.kind}>
      {state.kind === 'saved' && <Icon name="check" />}
      {state.kind === 'failed' && <Icon name="warning" />}
      {words[state.kind]}
    </span>
  )
}

export function SaveButton() {
  const store = useSessionStore()
  const { kind } = useSaveState()
  const isNeeded = kind === 'unsaved' || kind === 'failed'
  return (
    <button
      type="button"
      className={isNeeded ? 'button main' : 'button'}
      // Not `disabled`: the button would lose the focus while it is being used.
      aria-disabled={!isNeeded || undefined}
      title={keyLabel('mod+s')}
      onClick={() => void save(store)}
    >
      Save
    </button>
  )
}
