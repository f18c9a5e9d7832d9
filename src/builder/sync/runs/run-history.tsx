/** Past runs of a connector, however they were started, with their receipts; and what another process is doing now. */
import { Fragment, useId, useState } from 'react'
import type { ConnectorRun, ConnectorRuns } from '../../../server/wire/run.ts'
import { sayVerdict } from '../../../proof/verdict/verdict-name.ts'
import { count, number } from '../../../std/text/format-count.ts'
import { ago, distinctly } from '../../relative-time.ts'
import { roundDuration } from '../../durations.ts'
import type { SyncReceipt } from '../sync-events.ts'
import { stopWords } from '../sync-words.ts'
import { RunPlotView } from './run-plot.tsx'
import { runEnd, runEndTone, runEndWords, recordsOf, shortAddress, tookOf } from './run-words.ts'
import './outcome.css'
import './runs.css'
import { useGrowing } from './use-runs.ts'

export function RunHistory({ history }: { readonly history: ConnectorRuns | undefined }) {
  const id = useId()
  const { runs = [], unreadable = [], total = 0 } = history ?? {}
  const elsewhere = runs.find(({ status, sync }) => status === 'unfinished' && sync === null)
  return (
    <section className="runs" aria-labelledby={id}>
      <header className="lead-in">
        <h2 id={id}>Runs</h2>
        <p>Also those that the command line, a worker or a schedule started.</p>
      </header>
      {elsewhere !== undefined && <Elsewhere key={elsewhere.run} run={elsewhere} />}
      {unreadable.map(({ to, detail }) => (
        <p className="unreadable" key={to}>
          Runs in <code>{shortAddress(to)}</code> cannot be seen now: {detail}
        </p>
      ))}
      {history !== undefined && runs.length === 0 && <p className="none">None yet. A sync adds the first one.</p>}
      <RunPlotView runs={runs} />
      {runs.length > 0 && <RunTable runs={runs} />}
      {total > runs.length && (
        <p className="help">
          The latest {number(runs.length)} of {number(total)}; <code>turnleaf runs</code> lists all.
        </p>
      )}
    </section>
  )
}

/** What is known of a run of another process is what it has committed. */
function Elsewhere({ run }: { readonly run: ConnectorRun }) {
  const isGrowing = useGrowing(run)
  const { progress, streams, to, startedAt } = run
  return (
    <section className="elsewhere" aria-label="A run of another process">
      <p role="status">
        {isGrowing ? <span className="pulse" /> : null}
        <b>{isGrowing ? 'A sync runs in another process' : 'A sync runs in another process, or was interrupted'}</b>,
        begun {ago(startedAt)}, into <code title={to}>{shortAddress(to)}</code>
      </p>
      <ul>
        {[...streams, ...progress].map(({ stream, records, pages }) => (
          <li key={stream}>
            {stream}: {count(records, 'record')} of {count(pages, 'page')} committed
          </li>
        ))}
      </ul>
      <p className="help">Only what is committed can be seen. It is stopped where it was started.</p>
    </section>
  )
}

function RunTable({ runs }: { readonly runs: readonly ConnectorRun[] }) {
  const [open, setOpen] = useState<string | null>(null)
  const startOf = distinctly(runs.map(({ startedAt }) => startedAt))
  return (
    <table className="run-table">
      <thead>
        <tr>
          <th scope="col">Started</th>
          <th scope="col" className="figure">
            Duration
          </th>
          <th scope="col" className="figure">
            Records
          </th>
          <th scope="col">Verdict</th>
          <th scope="col" className="into">
            Into
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => {
          const key = `${run.destination} ${run.run}`
          const isOpen = key === open
          return (
            <Fragment key={key}>
              <tr>
                <th scope="row">
                  <RunButton
                    run={run}
                    start={startOf(run.startedAt)}
                    isOpen={isOpen}
                    onPress={() => setOpen(isOpen ? null : key)}
                  />
                </th>
                <td className="figure" data-unit="">
                  {tookOf(run)}
                </td>
                <td className="figure" data-unit="records">
                  {number(recordsOf(run))}
                </td>
                <td>
                  <span className="outcome" data-tone={runEndTone(runEnd(run))}>
                    {runEndWords(runEnd(run))}
                  </span>
                  {run.attempts > 1 && <span className="soft">, {count(run.attempts, 'attempt')}</span>}
                </td>
                <td className="into mono" title={run.to}>
                  {shortAddress(run.to)}
                </td>
              </tr>
              {isOpen && (
                <tr className="receipts">
                  <td colSpan={5}>
                    <Receipts run={run} />
                  </td>
                </tr>
              )}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}

function RunButton({
  run,
  start,
  isOpen,
  onPress,
}: {
  readonly run: ConnectorRun
  readonly start: string
  readonly isOpen: boolean
  readonly onPress: () => void
}) {
  return (
    <button type="button" className="link" aria-expanded={isOpen} title={run.run} onClick={onPress}>
      <time dateTime={run.startedAt}>{start}</time>
      <span className="hidden"> receipts</span>
    </button>
  )
}

function Receipts({ run }: { readonly run: ConnectorRun }) {
  const receipts = run.streams as unknown as readonly SyncReceipt[]
  return (
    <div className="receipts-of appears">
      <p className="help">
        Run <code>{run.run}</code> of <code>{run.connection}</code>, into <code>{run.to}</code>
      </p>
      {receipts.length === 0 && <p>No stream was read to its end.</p>}
      <ul>
        {receipts.map((receipt) => (
          <li key={receipt.stream}>
            <b>{receipt.stream}</b> {count(receipt.records, 'record')}, {count(receipt.pages, 'page')},{' '}
            {roundDuration(receipt.tookMs)}; {stopWords(receipt)}; {sayVerdict(receipt)}
            {receipt.held !== undefined && (
              <>
                . Held: {number(receipt.held.existing)} rows in the table, {number(receipt.held.staged)} read;{' '}
                {receipt.held.reason}
              </>
            )}
            {receipt.error !== undefined && <span className="bad">. {receipt.error.message}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
