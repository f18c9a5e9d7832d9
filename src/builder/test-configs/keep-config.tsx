/** Whether the test config in use is kept on the server's machine, and how to keep it. Default: in this tab only. */
import { useId, useState } from 'react'
import type { SecretStoreStatus } from '../../server/wire/test-config.ts'
import { createSecretStore, keepConfig, lockSecretStore } from '../api/test-configs.ts'
import { changeTabConfigs } from '../session/inputs.ts'
import { changeUsed, isChanged, markKept, type TabConfig } from '../session/tab-configs.ts'
import { useSessionStore } from '../session/use-session.tsx'
import { NewKey, type ChosenKey, emptyKey, isKeyReady, keyToCreate } from './new-key.tsx'
import { DamagedStore, LockedStore } from './locked-store.tsx'
import { useDoing } from './use-doing.ts'
import { parseOrigins, sendingRule, useLikelyOrigin } from './use-origins.ts'
import { useStoreChanged, useStoreStatus } from './use-store.ts'

type Props = { readonly connector: string; readonly config: TabConfig }

export function KeepConfig({ connector, config }: Props) {
  const status = useStoreStatus()
  const [isOpen, setOpen] = useState(false)
  if (status === undefined) return <p className="where">Values stay in this tab.</p>
  if (status.state === 'damaged') return <DamagedStore />
  if (status.state === 'locked') return <LockedStore status={status} />
  if (config.kept !== null) return <Kept connector={connector} config={config} status={status} />
  if (isOpen) return <Keeping connector={connector} config={config} status={status} onEnd={() => setOpen(false)} />
  return (
    <p className="where">
      Values stay in this tab until it is closed, secrets until it is reloaded.{' '}
      <button type="button" className="button small" onClick={() => setOpen(true)}>
        Keep on this machine
      </button>
    </p>
  )
}

type KeepingProps = Props & { readonly status: SecretStoreStatus; readonly onEnd: () => void }

/** A test config for the first time, and the store if there is none. */
function Keeping({ connector, config, status, onEnd }: KeepingProps) {
  const session = useSessionStore()
  const likely = useLikelyOrigin()
  const [typed, setTyped] = useState<string | null>(config.origins.length === 0 ? null : config.origins.join(', '))
  const [key, setKey] = useState<ChosenKey>(emptyKey)
  const { isBusy, fault, run } = useDoing()
  const storeChanged = useStoreChanged()
  const isNew = status.state === 'none'
  const written = typed ?? likely ?? ''
  const origins = parseOrigins(written)
  const isReady = origins !== null && origins.length > 0 && (!isNew || isKeyReady(key)) && !isBusy

  async function keep(): Promise<void> {
    if (origins === null) return
    const created = isNew ? await createSecretStore(keyToCreate(key)) : undefined
    if (created !== undefined) await storeChanged(created)
    const body = { values: { ...config.inputs }, text: session.get().text, origins, basedOn: null }
    const kept = await keepConfig(connector, config.name, body)
    changeTabConfigs(connector, (all) => markKept(all, kept))
    await storeChanged()
    onEnd()
  }

  return (
    <div className="keeping appears" role="group" aria-label="Keep on this machine">
      <p>
        The values go into an encrypted file where the server runs. Secrets never come back to this page: tests name
        them, and the server fills them in.
      </p>
      {isNew && <NewKey chosen={key} hasKeychain={status.hasKeychain} onChange={setKey} />}
      <OriginsField value={written} origins={origins} onChange={setTyped} />
      {fault !== null && (
        <p className="value-fault" role="alert">
          {fault}
        </p>
      )}
      <div className="row">
        <button type="button" className="button main" disabled={!isReady} onClick={() => void run(keep)}>
          {isNew ? `Create the store and keep “${config.name}”` : `Keep “${config.name}”`}
        </button>
        <button type="button" className="button quiet" onClick={onEnd}>
          Cancel
        </button>
      </div>
    </div>
  )
}

function Kept({ connector, config, status }: Props & { readonly status: SecretStoreStatus }) {
  const session = useSessionStore()
  const { isBusy, fault, run } = useDoing()
  const storeChanged = useStoreChanged()
  const [typed, setTyped] = useState(config.origins.join(', '))
  const origins = parseOrigins(typed)
  const hasChanged = isChanged(config)

  function changeOrigins(text: string): void {
    setTyped(text)
    const read = parseOrigins(text)
    if (read !== null) changeTabConfigs(connector, (all) => changeUsed(all, { origins: read }))
  }

  async function keep(): Promise<void> {
    const body = {
      values: { ...config.inputs },
      text: session.get().text,
      origins: [...config.origins],
      basedOn: config.kept?.version ?? null,
    }
    const kept = await keepConfig(connector, config.name, body)
    changeTabConfigs(connector, (all) => markKept(all, kept))
    await storeChanged()
  }

  function discard(): void {
    const { kept } = config
    if (kept === null) return
    changeTabConfigs(connector, (all) => markKept(all, kept))
    setTyped(kept.origins.join(', '))
    void storeChanged()
  }

  return (
    <div className="keeping" role="group" aria-label="Kept on this machine">
      <p className="where" role="status">
        {hasChanged
          ? 'Changed in this tab since it was kept. A reload drops the changes.'
          : 'Kept on this machine, encrypted.'}
      </p>
      <OriginsField value={typed} origins={origins} onChange={changeOrigins} />
      {fault !== null && (
        <p className="value-fault" role="alert">
          {fault}
        </p>
      )}
      <div className="row">
        {hasChanged && (
          <>
            <button
              type="button"
              className="button main"
              disabled={isBusy || origins === null || origins.length === 0}
              onClick={() => void run(keep)}
            >
              Keep the changes
            </button>
            <button type="button" className="button quiet" onClick={discard}>
              Discard them
            </button>
          </>
        )}
        <button
          type="button"
          className="button"
          disabled={isBusy}
          title={
            status.key === 'keychain' ? 'Until it is unlocked with the keychain' : 'Until the passphrase is entered'
          }
          onClick={() => void run(async () => storeChanged(await lockSecretStore()))}
        >
          Lock the store
        </button>
      </div>
    </div>
  )
}

type OriginsFieldProps = {
  readonly value: string
  readonly origins: readonly string[] | null
  readonly onChange: (text: string) => void
}

function OriginsField({ value, origins, onChange }: OriginsFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Secrets may be sent to</label>
      <input
        id={id}
        className="input mono"
        value={value}
        placeholder="https://api.example.com"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={origins === null || undefined}
        aria-describedby={`${id}-help`}
        onChange={({ target }) => onChange(target.value)}
      />
      <p className={origins === null ? 'value-fault' : 'help'} id={`${id}-help`}>
        {origins === null
          ? 'Write addresses such as https://api.example.com, without a path.'
          : `Scheme and host, several with commas. ${sendingRule}`}
      </p>
    </div>
  )
}
