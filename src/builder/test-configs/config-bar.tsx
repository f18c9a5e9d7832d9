/** Which test config is in use: switch, add, rename, duplicate, delete. */
import { useEffect, useId, useRef, useState } from 'react'
import { deleteKept, keepConfig } from '../api/test-configs.ts'
import { Icon } from '../icons.tsx'
import { Menu } from '../menu/menu.tsx'
import { changeTabConfigs, useTabConfigs } from '../session/inputs.ts'
import {
  addConfig,
  chooseConfig,
  configNameFault,
  duplicateConfig,
  freeConfigName,
  markKept,
  removeConfig,
  renameConfig,
  usedConfig,
} from '../session/tab-configs.ts'
import { useSession, useSessionStore } from '../session/use-session.tsx'
import { EmptiedNote } from '../test-reads/inputs/emptied-note.tsx'
import { KeepConfig } from './keep-config.tsx'
import './test-configs.css'
import { useDoing } from './use-doing.ts'
import { useStoreChanged } from './use-store.ts'

type Asking = { readonly kind: 'add' | 'rename' | 'delete'; readonly name: string }

export function ConfigBar() {
  const connector = useSession((session) => session.name)
  const store = useSessionStore()
  const all = useTabConfigs(connector)
  const used = usedConfig(all)
  const id = useId()
  const [asking, setAsking] = useState<Asking | null>(null)
  const { isBusy, fault, run } = useDoing()
  const storeChanged = useStoreChanged()
  const change = (next: (before: typeof all) => typeof all) => changeTabConfigs(connector, next)

  /** First under the new name, so that nothing is lost if the second step fails. */
  async function rename(to: string): Promise<void> {
    const { kept } = used
    if (kept === null) return change((before) => renameConfig(before, to))
    const body = { values: kept.values, text: store.get().text, origins: [...kept.origins], basedOn: null }
    const moved = await keepConfig(connector, to, body)
    await deleteKept(connector, kept.name, kept.version)
    change((before) => markKept(renameConfig(before, to), moved))
    await storeChanged()
  }

  async function remove(): Promise<void> {
    if (used.kept !== null) await deleteKept(connector, used.name, used.kept.version)
    change((before) => removeConfig(before, used.name))
    await storeChanged()
  }

  async function finish({ kind, name }: Asking): Promise<void> {
    if (kind === 'add') change((before) => addConfig(before, name))
    if (kind === 'rename') await rename(name)
    if (kind === 'delete') await remove()
    setAsking(null)
  }

  return (
    <section className="test-configs" aria-label="Test config">
      <div className="row">
        <label htmlFor={id}>Test config</label>
        <select
          id={id}
          className="input"
          value={used.name}
          onChange={({ target }) => {
            setAsking(null)
            change((before) => chooseConfig(before, target.value))
          }}
        >
          {all.configs.map(({ name, kept }) => (
            <option key={name} value={name}>
              {kept === null ? name : `${name} (kept)`}
            </option>
          ))}
        </select>
        <button
          type="button"
          className="button"
          onClick={() => setAsking({ kind: 'add', name: freeConfigName(all, 'sandbox') })}
        >
          New test config
        </button>
        <Menu
          name={`Actions for ${used.name}`}
          className="button quiet icon-only"
          face={<Icon name="more" />}
          choices={[
            { label: 'Rename', onChoose: () => setAsking({ kind: 'rename', name: used.name }) },
            { label: 'Duplicate', onChoose: () => change(duplicateConfig) },
            { label: 'Delete', isHarmful: true, onChoose: () => setAsking({ kind: 'delete', name: used.name }) },
          ]}
        />
      </div>
      {asking?.kind === 'delete' && (
        <div className="asking appears" role="alert">
          <p>
            Delete “{asking.name}” with its values{used.kept === null ? '' : ', also from the store on this machine'}?
          </p>
          <button
            type="button"
            className="button small"
            disabled={isBusy}
            onClick={() => void run(() => finish(asking))}
          >
            Delete
          </button>
          <button type="button" className="button quiet small" onClick={() => setAsking(null)}>
            Cancel
          </button>
        </div>
      )}
      {asking !== null && asking.kind !== 'delete' && (
        <NameField
          key={asking.kind}
          label={asking.kind === 'add' ? 'Name of the new test config' : `New name of ${used.name}`}
          action={asking.kind === 'add' ? 'Add' : 'Rename'}
          name={asking.name}
          isBusy={isBusy}
          faultOf={(name) => (name === used.name ? null : configNameFault(all, name))}
          isUnchanged={(name) => asking.kind === 'rename' && name === used.name}
          onName={(name) => setAsking({ ...asking, name })}
          onDone={() => void run(() => finish(asking))}
          onCancel={() => setAsking(null)}
        />
      )}
      {fault !== null && (
        <p className="value-fault" role="alert">
          {fault}
        </p>
      )}
      <EmptiedNote />
      <KeepConfig key={used.name} connector={connector} config={used} />
    </section>
  )
}

type NameFieldProps = {
  readonly label: string
  readonly action: string
  readonly name: string
  readonly isBusy: boolean
  readonly faultOf: (name: string) => string | null
  readonly isUnchanged: (name: string) => boolean
  readonly onName: (name: string) => void
  readonly onDone: () => void
  readonly onCancel: () => void
}

function NameField({ label, action, name, isBusy, faultOf, isUnchanged, onName, onDone, onCancel }: NameFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const fault = faultOf(name)
  // Once: what is typed next replaces the proposal.
  useEffect(() => input.current?.select(), [])
  const isReady = fault === null && !isUnchanged(name) && !isBusy
  return (
    <div className="asking appears">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input"
        value={name}
        autoComplete="off"
        spellCheck={false}
        ref={input}
        aria-invalid={fault !== null || undefined}
        aria-describedby={`${id}-fault`}
        onChange={({ target }) => onName(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && isReady) onDone()
          if (key === 'Escape') onCancel()
        }}
      />
      <button type="button" className="button small" disabled={!isReady} onClick={onDone}>
        {action}
      </button>
      <button type="button" className="button quiet small" onClick={onCancel}>
        Cancel
      </button>
      <p className="value-fault" id={`${id}-fault`} role="status">
        {fault}
      </p>
    </div>
  )
}
