/** One connector: opened, then edited until the tab is closed. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { Connector } from '../../server/wire/connector.ts'
import { AskError } from '../api/ask.ts'
import { openConnector } from '../api/connectors.ts'
import { readBeforeOpening, readLong } from '../background/background.ts'
import { Boundary } from '../boundary.tsx'
import { carriedText, carryOver, forgetCarriedText } from '../connectors/carry-over.ts'
import { goTo } from '../router.ts'
import { keepDraft } from '../session/draft.ts'
import { keepForReload } from '../session/keep-for-reload.ts'
import { openSession } from '../session/session.ts'
import { useForeignChanges } from '../session/use-foreign-changes.ts'
import { SessionProvider } from '../session/use-session.tsx'
import { useKeptConfigs } from '../test-configs/use-store.ts'
import { useTitle } from '../use-title.ts'
import { Editor } from './editor.tsx'
import { followRename } from './open-connector-actions.ts'
import { InspectionContext, useAskedInspection } from '../session/use-inspection.ts'

export function EditorPage({ name }: { name: string }) {
  const { data, error } = useQuery({
    queryKey: ['connector', name],
    queryFn: async () => {
      const connector = await openConnector(name)
      await readBeforeOpening(connector.text)
      return connector
    },
    // The session follows what others do; opening is done once.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (data !== undefined) return <OpenedEditor connector={data} />
  return error === null ? <Opening name={name} /> : <NotOpened name={name} error={error} />
}

function Opening({ name }: { name: string }) {
  useTitle(name)
  return (
    <main className="message-page" id="content">
      <p role="status">Opening {name}</p>
    </main>
  )
}

function NotOpened({ name, error }: { name: string; error: Error }) {
  useTitle(name)
  const problem = error instanceof AskError ? error.problem : null
  const isMissing = problem?.status === 404
  return (
    <main className="message-page" id="content">
      <h1>{isMissing ? `There is no connector ${name}` : `${name} cannot be opened`}</h1>
      <p role="alert">
        {isMissing ? 'It may have been deleted or renamed.' : error.message} {isMissing ? '' : problem?.hint}
      </p>
      <div className="actions">
        <button
          type="button"
          className="button main"
          onClick={() => goTo({ connector: null, part: null, view: 'form' })}
        >
          All connectors
        </button>
      </div>
    </main>
  )
}

function OpenedEditor({ connector: { name, text, version } }: { connector: Connector }) {
  const [store] = useState(() => {
    const opened = openSession(name, { text, version }, { readLong })
    opened.edit(carriedText(name) ?? text)
    return opened
  })
  useEffect(() => forgetCarriedText(name), [name])
  useForeignChanges(store, (to) => {
    carryOver(name, to)
    followRename(store, to)
  })
  useKeptConfigs(name)
  useEffect(() => keepForReload(store), [store])
  useEffect(() => keepDraft(store), [store])
  return (
    <SessionProvider store={store}>
      <Boundary store={store}>
        <InspectionProvider>
          <Editor />
        </InspectionProvider>
      </Boundary>
    </SessionProvider>
  )
}

function InspectionProvider({ children }: { children: ReactNode }) {
  return <InspectionContext value={useAskedInspection(null)}>{children}</InspectionContext>
}
