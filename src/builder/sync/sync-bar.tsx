/** Sync, cancel, and from where. Changes that are not saved are said, and saved when wanted. */
import { useId, useState } from 'react'
import { goTo } from '../router.ts'
import { inputsOf } from '../session/inputs.ts'
import { save } from '../session/saving.ts'
import { useSession, useSessionStore } from '../session/use-session.tsx'
import { NeededInputsForm } from '../test-reads/inputs/needed-inputs-form.tsx'
import { useNeededInputs } from '../test-reads/inputs/use-needed-inputs.ts'
import { useChoices } from './choices/choices-store.ts'
import { chosenModes, chosenTo } from './choices/sync-choices.ts'
import { isUnderWay, type SyncState } from './sync-state.ts'
import { cancelSync, startSync } from './sync-store.ts'

export function SyncBar({
  sync,
  chosenOfSaved,
  chosenOfWritten,
  isAll,
}: {
  readonly sync: SyncState | null
  readonly chosenOfSaved: readonly string[]
  /** Of the text as it is now, which "Save and sync" reads. */
  readonly chosenOfWritten: readonly string[]
  readonly isAll: boolean
}) {
  const store = useSessionStore()
  const id = useId()
  const needed = useNeededInputs()
  const [isFresh, setFresh] = useState(false)
  const isUnsaved = useSession(({ text, saved }) => text !== saved.text)
  const isBusy = sync !== null && isUnderWay(sync)
  const connector = useSession((session) => session.name)
  const choices = useChoices(connector)
  const destination = chosenTo(choices, connector)
  const missing = 'missing' in destination ? destination.missing : null
  const canStart = !isBusy && missing === null
  const canSyncSaved = canStart && chosenOfSaved.length > 0
  const canSaveAndSync = canStart && chosenOfWritten.length > 0

  function start(chosen: readonly string[]): void {
    const { name } = store.get()
    const modes = chosenModes(choices, chosen)
    void startSync({
      connector: name,
      config: { ...inputsOf(name) },
      isFresh,
      require: choices.require,
      ...('to' in destination && { to: destination.to }),
      ...(modes !== undefined && { mode: modes }),
      ...(!isAll && { streams: [...chosen] }),
    })
  }
  function syncSaved(): void {
    if (canSyncSaved) start(chosenOfSaved)
  }
  async function saveAndSync(): Promise<void> {
    if (canSaveAndSync && (await save(store))) start(chosenOfWritten)
  }

  return (
    <div className="run-part">
      {isUnsaved && (
        <p className="unsaved" role="status">
          There are unsaved changes. A sync reads the version that was saved last.
        </p>
      )}
      <div className="buttons">
        {isUnsaved && (
          <button
            type="button"
            className="button main"
            aria-disabled={!canSaveAndSync || undefined}
            onClick={() => void saveAndSync()}
          >
            Save and sync
          </button>
        )}
        <button
          type="button"
          className={isUnsaved ? 'button' : 'button main'}
          // Not `disabled`: the button would lose the focus while it is being used.
          aria-disabled={!canSyncSaved || undefined}
          onClick={syncSaved}
        >
          {isUnsaved ? 'Sync the saved version' : 'Sync'}
        </button>
        <button
          type="button"
          className="button"
          disabled={sync?.status !== 'running'}
          onClick={() => void cancelSync(store.get().name)}
        >
          Cancel
        </button>
        <span className="fresh">
          <input
            id={id}
            type="checkbox"
            checked={isFresh}
            aria-describedby={`${id}-help`}
            onChange={({ target }) => setFresh(target.checked)}
          />
          <label htmlFor={id}>Start fresh</label>
          <span className="help" id={`${id}-help`}>
            Otherwise it resumes where the last sync stopped.
          </span>
        </span>
      </div>
      {missing !== null && <p className="help">{missing}</p>}
      {needed.length > 0 ? (
        <NeededInputsForm needed={needed} onReady={canSyncSaved ? syncSaved : () => void saveAndSync()} action="sync" />
      ) : (
        <p className="inputs-note">
          Uses the inputs as they are set in this tab.{' '}
          <button type="button" className="link" onClick={() => goTo({ part: '.inputs', view: 'form' })}>
            Show inputs
          </button>
        </p>
      )}
    </div>
  )
}
