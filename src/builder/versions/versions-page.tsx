/** What the connector was before: each version as a difference to what is seen now, and the way back to it. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PastVersion } from '../../server/wire/connector.ts'
import { listVersions, openVersion } from '../api/connectors.ts'
import { count } from '../../std/text/format-count.ts'
import { Difference } from '../difference/difference.tsx'
import { showUndoNotice } from '../session/undo-notice.ts'
import { useSession, useSessionStore } from '../session/use-session.tsx'
import { ago, exactly } from '../relative-time.ts'
import { findVersions } from './find-versions.ts'
import { VersionLabelButton } from './version-label.tsx'
import './versions-page.css'

export function VersionsPage() {
  const { name, saved } = useSession((session) => session)
  const { data, error } = useQuery({ queryKey: ['versions', name, saved.version], queryFn: () => listVersions(name) })
  const [open, setOpen] = useState<string | null>(null)
  const [wanted, setWanted] = useState('')
  const versions = data?.versions ?? []
  const found = findVersions(versions, wanted)
  return (
    <div className="versions-page">
      <h2>Versions</h2>
      <p className="lead">Every version that was saved here or found on disk, as files in the connector’s folder.</p>
      {error !== null && <p role="alert">{error.message}</p>}
      {versions.length > 1 && (
        <div className="tools">
          <input
            className="input"
            type="search"
            aria-label="Search versions"
            placeholder="Search labels and dates"
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
          />
          <span role="status">{wanted.trim() === '' ? '' : count(found.length, 'version')}</span>
        </div>
      )}
      <ul>
        {found.map((past) => (
          <VersionRow
            key={`${past.version} ${past.savedAt}`}
            name={name}
            past={past}
            isOpen={past.version === open}
            onOpen={(isOpen) => setOpen(isOpen ? past.version : null)}
          />
        ))}
      </ul>
    </div>
  )
}

function VersionRow({
  name,
  past: { version, savedAt, bytes, isCurrent, label },
  isOpen,
  onOpen,
}: {
  readonly name: string
  readonly past: PastVersion
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
}) {
  return (
    <li>
      <div className="row">
        <button type="button" className="version" aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
          <time dateTime={savedAt} title={exactly(savedAt)}>
            {ago(savedAt)}
          </time>
          <span className="exact">{exactly(savedAt)}</span>
          <span className="size">{sizeOf(bytes)}</span>
          {label !== null && <b className="label">{label}</b>}
          {isCurrent && <span className="current">on disk now</span>}
        </button>
        <VersionLabelButton name={name} version={version} savedAt={savedAt} label={label} />
      </div>
      {isOpen && <OpenedVersion name={name} version={version} savedAt={savedAt} />}
    </li>
  )
}

function OpenedVersion({ name, version, savedAt }: { name: string; version: string; savedAt: string }) {
  const store = useSessionStore()
  const now = useSession((session) => session.text)
  const { data, error } = useQuery({
    queryKey: ['version', name, version],
    queryFn: () => openVersion(name, version),
    // A past version never changes.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (data === undefined) return <p className="waiting">{error === null ? 'Opening' : error.message}</p>
  const isSame = data.text === now
  return (
    <div className="opened appears">
      <Difference before={now} after={data.text} beforeName="now" afterName={ago(savedAt)} />
      {!isSame && (
        <button
          type="button"
          className="button"
          onClick={() => {
            store.edit(data.text)
            showUndoNotice(store, `This is the version of ${exactly(savedAt)}, not saved yet.`)
          }}
        >
          Restore this version
        </button>
      )}
    </div>
  )
}

function sizeOf(bytes: number): string {
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} KB`
}
