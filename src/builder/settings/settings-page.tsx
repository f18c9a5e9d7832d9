/** One page of settings: what it is about, then its fields. */
import { type ReactNode, useEffect, useRef } from 'react'
import { listStreamNames } from '../fields/shared-streams.ts'
import { useWantedSection, wantSection } from '../fields/wanted-section.ts'
import './settings.css'

export function SettingsPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const page = useRef<HTMLFormElement>(null)
  const isWanted = useWantedSection()?.title === title
  useEffect(() => {
    if (!isWanted) return
    page.current?.querySelector<HTMLElement>(':is(input, select, textarea):enabled')?.focus()
    wantSection(null)
  }, [isWanted])
  return (
    <form ref={page} className="settings-page" aria-label={title} onSubmit={(event) => event.preventDefault()}>
      <header>
        <div>
          <h2>{title}</h2>
          <p className="lead">{lead}</p>
        </div>
      </header>
      {children}
    </form>
  )
}

/** Said where a manifest has more than one of a thing. */
export function UsedBy({ streams }: { streams: readonly string[] }) {
  return (
    <p className="users">
      {streams.length === 0 ? 'No stream uses this yet.' : `Used by ${listStreamNames(streams)}.`}
    </p>
  )
}
