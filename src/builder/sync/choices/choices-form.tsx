/** Destination, required verdict and modes of a sync. */
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { listConnectors } from '../../api/connectors.ts'
import { setChoices } from './choices-store.ts'
import { type SyncMode, syncModes } from '../../../sync/mode-names.ts'
import { chosenModes, type DestinationKind, type SyncChoices, usualPath } from './sync-choices.ts'
import './choices.css'

const kinds: readonly (readonly [DestinationKind, string])[] = [
  ['embedded', 'Database of this server'],
  ['duckdb', 'DuckDB file'],
  ['parquet', 'Parquet folder'],
  ['jsonl', 'JSONL folder'],
  ['postgres', 'Postgres'],
]

const modeNames: Readonly<Record<SyncMode, string>> = {
  full_refresh_overwrite: 'Full refresh, overwrite',
  full_refresh_append: 'Full refresh, append',
  full_refresh_dedup: 'Full refresh, one row per key',
  incremental_append: 'Incremental, append',
  incremental_dedup: 'Incremental, one row per key',
}

export function ChoicesForm({
  connector,
  choices,
  streams,
}: {
  readonly connector: string
  readonly choices: SyncChoices
  readonly streams: readonly string[]
}) {
  const id = useId()
  const { kind, require } = choices
  const set = (changed: Partial<SyncChoices>) => setChoices(connector, changed)
  return (
    <div className="sync-choices">
      <div className="choice-field">
        <label htmlFor={`${id}-to`}>Destination</label>
        <select
          id={`${id}-to`}
          className="input"
          value={kind}
          onChange={({ target }) => set({ kind: target.value as DestinationKind })}
        >
          {kinds.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {(kind === 'duckdb' || kind === 'parquet' || kind === 'jsonl') && (
        <div className="choice-field wide">
          <label htmlFor={`${id}-path`}>{kind === 'duckdb' ? 'File' : 'Folder'}</label>
          <input
            id={`${id}-path`}
            className="input mono"
            spellCheck={false}
            aria-describedby={`${id}-path-help`}
            placeholder={usualPath(kind, connector)}
            value={choices.paths[kind] ?? ''}
            onChange={({ target }) => set({ paths: { ...choices.paths, [kind]: target.value } })}
          />
          <p className="help" id={`${id}-path-help`}>
            <HomeWords />
          </p>
        </div>
      )}
      {kind === 'postgres' && <PostgresFields id={id} choices={choices} set={set} />}
      <div className="choice-field">
        <label htmlFor={`${id}-require`}>Required verdict</label>
        <select
          id={`${id}-require`}
          className="input"
          aria-describedby={`${id}-require-help`}
          value={require}
          onChange={({ target }) => set({ require: target.value as SyncChoices['require'] })}
        >
          <option value="unproven">Complete or not verified</option>
          <option value="complete">Complete</option>
        </select>
        <p className="help" id={`${id}-require-help`}>
          After a full refresh with a lower verdict the table keeps its rows.
        </p>
      </div>
      {streams.length > 0 && <ModesPart id={id} choices={choices} streams={streams} set={set} />}
    </div>
  )
}

/** It is asked for only where a path is. */
function HomeWords() {
  const { data } = useQuery({ queryKey: ['connectors'], queryFn: listConnectors })
  if (data === undefined) return 'A path in the folder of the server.'
  return (
    <>
      A path in <code>{data.home}</code>, the folder of the server.
    </>
  )
}

type PartProps = {
  readonly id: string
  readonly choices: SyncChoices
  readonly set: (changed: Partial<SyncChoices>) => void
}

function PostgresFields({ id, choices: { isTyped, variable, address }, set }: PartProps) {
  return (
    <>
      <div className="choice-field">
        <label htmlFor={`${id}-by`}>Address from</label>
        <select
          id={`${id}-by`}
          className="input"
          value={isTyped ? 'typed' : 'variable'}
          onChange={({ target }) => set({ isTyped: target.value === 'typed' })}
        >
          <option value="variable">Environment variable</option>
          <option value="typed">Typed here</option>
        </select>
      </div>
      {isTyped ? (
        <div className="choice-field wide">
          <label htmlFor={`${id}-address`}>Address</label>
          <input
            id={`${id}-address`}
            className="input mono"
            type="password"
            autoComplete="off"
            aria-describedby={`${id}-address-help`}
            placeholder="postgres://user:password@host:5432/database"
            value={address}
            onChange={({ target }) => set({ address: target.value })}
          />
          <p className="help" id={`${id}-address-help`}>
            Kept in this tab and in the memory of the server. It is not stored or shown again.
          </p>
        </div>
      ) : (
        <div className="choice-field wide">
          <label htmlFor={`${id}-variable`}>Variable</label>
          <input
            id={`${id}-variable`}
            className="input mono"
            spellCheck={false}
            autoCapitalize="off"
            aria-describedby={`${id}-variable-help`}
            placeholder="WAREHOUSE_URL"
            value={variable}
            onChange={({ target }) => set({ variable: target.value })}
          />
          <p className="help" id={`${id}-variable-help`}>
            Of the server. It holds postgres://…
          </p>
        </div>
      )}
    </>
  )
}

function ModesPart({ id, choices, streams, set }: PartProps & { readonly streams: readonly string[] }) {
  const chosen = Object.keys(chosenModes(choices, streams) ?? {}).length
  return (
    <details className="folded modes">
      <summary>Modes: {chosen === 0 ? 'automatic' : `${chosen} of ${streams.length} set`}</summary>
      <div className="content">
        <p className="help">
          Automatic: incremental where a stream has a cursor, with one row per primary key; a full refresh otherwise.
        </p>
        {streams.map((stream) => (
          <div className="mode" key={stream}>
            <label htmlFor={`${id}-mode-${stream}`}>Mode of {stream}</label>
            <select
              id={`${id}-mode-${stream}`}
              className="input"
              value={choices.modes[stream] ?? ''}
              onChange={({ target }) => {
                const { [stream]: _, ...others } = choices.modes
                set({ modes: target.value === '' ? others : { ...others, [stream]: target.value as SyncMode } })
              }}
            >
              <option value="">Automatic</option>
              {syncModes.map((mode) => (
                <option key={mode} value={mode}>
                  {modeNames[mode]}
                </option>
              ))}
            </select>
          </div>
        ))}
      </div>
    </details>
  )
}
