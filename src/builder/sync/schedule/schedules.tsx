/** Schedules of the connector: when each runs, how the last run ended, and a form for a new one. */
import { useId, useState } from 'react'
import type { Runner, WiredSchedule } from '../../../server/wire/schedule.ts'
import type { SavedConnection } from '../../../server/wire/connection.ts'
import { ago, exactly } from '../../relative-time.ts'
import { useSession } from '../../session/use-session.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { timesWords, untilWords } from './schedule-form-state.ts'
import './schedules.css'
import { changeSchedule, useSchedules } from './use-schedules.ts'
import { messageOf } from '../../../std/text/message-of.ts'

export function SchedulesPart({ streams }: { readonly streams: readonly string[] | undefined }) {
  const id = useId()
  const connector = useSession((session) => session.name)
  const known = useSchedules(connector)
  const [isAdding, setAdding] = useState(false)
  const { schedules = [], connections = [], runner } = known ?? {}
  return (
    <section className="schedules" aria-labelledby={id}>
      <header className="lead-in">
        <h2 id={id}>Schedule</h2>
        {runner !== undefined && (schedules.length > 0 || isAdding) && <p>{runnerWords[runner]}</p>}
      </header>
      {known !== undefined && schedules.length === 0 && !isAdding && (
        <p className="none">This connector runs when you start it.</p>
      )}
      {schedules.length > 0 && (
        <ul className="schedule-list">
          {schedules.map((one) => (
            <ScheduleRow
              key={one.connection}
              connector={connector}
              schedule={one}
              connection={connections.find(({ name }) => name === one.connection)}
            />
          ))}
        </ul>
      )}
      {isAdding ? (
        <ScheduleForm
          connector={connector}
          connections={connections}
          streams={streams}
          onDone={() => setAdding(false)}
        />
      ) : (
        <div className="buttons">
          <button type="button" className="button" disabled={known === undefined} onClick={() => setAdding(true)}>
            Add schedule
          </button>
        </div>
      )}
    </section>
  )
}

const runnerWords: Readonly<Record<Runner, string>> = {
  here: 'This server starts the runs, for as long as it is up.',
  'another-process': 'Another turnleaf serve with the same workspace starts the runs.',
  none: 'Nothing starts the runs now: run npx turnleaf serve with this workspace.',
}

function ScheduleRow({
  connector,
  schedule,
  connection,
}: {
  readonly connector: string
  readonly schedule: WiredSchedule
  readonly connection: SavedConnection | undefined
}) {
  const { connection: name, isPaused, nextAt, last, problem, failures } = schedule
  const [isAsked, setAsked] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const change = (what: Parameters<typeof changeSchedule>[2]) => {
    setRefused(null)
    changeSchedule(connector, name, what).catch((error: unknown) => setRefused(messageOf(error)))
  }
  const trouble = problem ?? last?.error ?? null
  return (
    <li className="schedule" aria-label={`Schedule of ${name}`}>
      <p>
        <b>{timesWords(schedule)}</b>
        <span className="soft">
          connection <code>{name}</code>
          {connection?.to != null && (
            <>
              {' '}
              into <code>{connection.to}</code>
            </>
          )}
        </span>
      </p>
      <p className="soft">
        {isPaused ? (
          'Paused'
        ) : nextAt === null ? (
          'No next run'
        ) : (
          <>
            Next run <time title={exactly(nextAt)}>{untilWords(nextAt)}</time>
          </>
        )}
        {last !== null && (
          <>
            ; last run {last.status === 'running' ? 'is running' : last.status}, begun {ago(last.startedAt)}
          </>
        )}
        {failures > 1 && `; failed ${failures} times in a row`}
      </p>
      {connection !== undefined && connection.missing.length > 0 && (
        <p className="missing">
          The server needs {connection.missing.length === 1 ? 'an environment variable' : 'environment variables'}:{' '}
          {connection.missing.map((one, index) => (
            <code key={one}>
              {index > 0 && ', '}
              {one}
            </code>
          ))}
          . Set {connection.missing.length === 1 ? 'it' : 'them'} and start it again.
        </p>
      )}
      {trouble !== null && <p className="refused">{trouble.message}</p>}
      {isAsked ? (
        <div className="buttons" role="group" aria-label="Confirm">
          <span>Delete this schedule? The connection and its tables stay.</span>
          <button
            type="button"
            className="button main"
            ref={(button) => button?.focus()}
            onClick={() => change('delete')}
          >
            Delete schedule
          </button>
          <button type="button" className="button" onClick={() => setAsked(false)}>
            Keep it
          </button>
        </div>
      ) : (
        <div className="buttons">
          <button
            type="button"
            className="button small"
            disabled={last?.status === 'running'}
            onClick={() => change('run')}
          >
            Run now
          </button>
          <button type="button" className="button small" onClick={() => change(isPaused ? 'resume' : 'pause')}>
            {isPaused ? 'Resume' : 'Pause'}
          </button>
          <button type="button" className="button small" onClick={() => setAsked(true)}>
            Delete
          </button>
        </div>
      )}
      {refused !== null && (
        <p className="refused" role="alert">
          {refused}
        </p>
      )}
    </li>
  )
}
