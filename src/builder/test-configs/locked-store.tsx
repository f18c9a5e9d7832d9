/** A store that cannot be used now: locked, to be opened, or damaged. Both can be deleted. */
import { useId, useState } from 'react'
import type { SecretStoreStatus } from '../../server/wire/test-config.ts'
import { deleteSecretStore, unlockSecretStore } from '../api/test-configs.ts'
import { SecretInput } from '../settings/inputs/secret-input.tsx'
import { useDoing } from './use-doing.ts'
import { useStoreChanged } from './use-store.ts'

export function LockedStore({ status }: { readonly status: SecretStoreStatus }) {
  const id = useId()
  const [passphrase, setPassphrase] = useState('')
  const { isBusy, fault, run } = useDoing()
  const storeChanged = useStoreChanged()
  const isKeychain = status.key === 'keychain'
  const unlock = () => run(async () => storeChanged(await unlockSecretStore(isKeychain ? undefined : passphrase)))
  return (
    <div className="keeping" role="group" aria-label="Locked store">
      <p className="where">Test configs are kept on this machine, and locked. Values typed now stay in this tab.</p>
      <div className="row unlock">
        {!isKeychain && (
          <div className="field">
            <label htmlFor={id}>Passphrase</label>
            <SecretInput
              id={id}
              what="passphrase"
              aria-invalid={fault !== null || undefined}
              aria-describedby={`${id}-fault`}
              value={passphrase}
              onValue={setPassphrase}
              onEnter={() => void (passphrase !== '' && unlock())}
            />
          </div>
        )}
        <button
          type="button"
          className="button"
          disabled={isBusy || (!isKeychain && passphrase === '')}
          onClick={() => void unlock()}
        >
          {isKeychain ? 'Unlock with the keychain' : 'Unlock'}
        </button>
        <DeleteStore />
      </div>
      <p className="value-fault" id={`${id}-fault`} role="alert">
        {fault}
      </p>
    </div>
  )
}

export function DamagedStore() {
  return (
    <div className="keeping" role="group" aria-label="Damaged store">
      <p className="value-fault" role="alert">
        The store of test configs cannot be read: it is damaged, or a later Turnleaf wrote it. It was left as it is.
        Restore <code>.test-configs/store.json</code> from a backup, or delete it.
      </p>
      <div className="row">
        <DeleteStore />
      </div>
    </div>
  )
}

function DeleteStore() {
  const [isAsking, setAsking] = useState(false)
  const { isBusy, fault, run } = useDoing()
  const storeChanged = useStoreChanged()
  async function remove(): Promise<void> {
    await deleteSecretStore()
    await storeChanged()
  }
  if (!isAsking) {
    return (
      <button type="button" className="button quiet" onClick={() => setAsking(true)}>
        Delete the store
      </button>
    )
  }
  return (
    <div className="asking appears" role="alert">
      <p>
        {fault ?? 'Delete the test configs of all connectors that are kept on this machine? This cannot be undone.'}
      </p>
      <button type="button" className="button small" disabled={isBusy} onClick={() => void run(remove)}>
        Delete everything in it
      </button>
      <button type="button" className="button quiet small" onClick={() => setAsking(false)}>
        Cancel
      </button>
    </div>
  )
}
