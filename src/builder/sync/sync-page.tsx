/** Runs the connector: where to and when, how far it is, past runs, and the tables. */
import { useEffect, useMemo, useRef, useState } from 'react'
import { openDocument } from '../../document/open-document.ts'
import { streamsIn } from '../../document/stream-paths.ts'
import { useStreams } from '../editor/use-streams.ts'
import { useSession } from '../session/use-session.tsx'
import { ChoicesForm } from './choices/choices-form.tsx'
import { useChoices } from './choices/choices-store.ts'
import { HeldStreams } from './held/held-streams.tsx'
import { useHeld } from './held/use-held.ts'
import { type QueryHandle, QueryPanel } from './query/query-panel.tsx'
import { RunHistory } from './runs/run-history.tsx'
import { useRuns } from './runs/use-runs.ts'
import { SchedulesPart } from './schedule/schedules.tsx'
import { SyncBar } from './sync-bar.tsx'
import { StreamTable } from './stream-table.tsx'
import { SyncFailures, SyncOutcome } from './sync-outcome.tsx'
import './sync-page.css'
import { isUnderWay } from './sync-state.ts'
import { findSync, useSyncing } from './sync-store.ts'

export function SyncPage() {
  const name = useSession((session) => session.name)
  const sync = useSyncing(name)
  const saved = useSavedStreams()
  const written = useStreams().map((stream) => stream.name)
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set())
  const held = useHeld(name)
  const choices = useChoices(name)
  const history = useRuns(name)
  const query = useRef<QueryHandle>(null)
  // Streams that the manifest makes from responses of the API are known once they were read.
  const known = [...new Set([...saved, ...written, ...(sync?.streams.keys() ?? [])])]
  const chosen = known.filter((stream) => !leftOut.has(stream))
  const isAll = chosen.length === known.length
  const chosenOfSaved = chosen.filter((stream) => saved.includes(stream) || !written.includes(stream))
  const chosenOfWritten = chosen.filter((stream) => written.includes(stream) || !saved.includes(stream))

  useEffect(() => {
    // Where the server does not answer, its banner says so.
    findSync(name).catch(() => {})
  }, [name])

  return (
    <div className="sync-page">
      <header className="lead-in">
        <h2>Sync</h2>
        <p>Reads every page of the saved connector into the destination.</p>
      </header>
      <ChoicesForm connector={name} choices={choices} streams={known} />
      <SyncBar sync={sync} chosenOfSaved={chosenOfSaved} chosenOfWritten={chosenOfWritten} isAll={isAll} />
      {sync !== null && <SyncOutcome sync={sync} stillHeld={held?.length} />}
      <HeldStreams
        connector={name}
        held={held ?? []}
        isBusy={sync !== null && isUnderWay(sync)}
        onQuery={(sql) => query.current?.ask(sql)}
      />
      <StreamTable names={known} sync={sync} leftOut={leftOut} onChoose={setLeftOut} />
      {sync !== null && <SyncFailures sync={sync} />}
      <SchedulesPart streams={isAll ? undefined : chosenOfSaved} />
      <RunHistory history={history} />
      <QueryPanel ref={query} connector={name} />
    </div>
  )
}

/** What "Sync the saved version" reads, whatever is being typed. */
function useSavedStreams(): readonly string[] {
  const text = useSession(({ saved }) => saved.text)
  return useMemo(() => streamsIn(openDocument(text).value).map(({ name }) => name), [text])
}
