/** The state of the sync in a sentence; what went wrong, and what to do next. */
import { count } from '../../std/text/format-count.ts'
import { Worded } from '../fields/inline-code.tsx'
import { ago, exactly } from '../relative-time.ts'
import { ProblemBox } from '../test-reads/outcome/problem-box.tsx'
import { formWords } from '../yaml/place-words.ts'
import type { SyncReceipt } from './sync-events.ts'
import { shortAddress } from './runs/run-words.ts'
import { isUnderWay, type SyncState } from './sync-state.ts'
import { syncWords } from './sync-words.ts'

/** `stillHeld`: how many tables wait for a decision; undefined while unknown. */
export function SyncOutcome({ sync, stillHeld }: { sync: SyncState; stillHeld: number | undefined }) {
  const { status, run, problem } = sync
  return (
    <div className="sync-outcome">
      <p className="standing" data-status={status}>
        {isUnderWay(sync) && <span className="pulse" />}
        <span role="status">{syncWords(sync, stillHeld)}</span>
        {run !== null && !isUnderWay(sync) && (
          <time dateTime={run.startedAt} title={exactly(run.startedAt)}>
            begun {ago(run.startedAt)}
          </time>
        )}
      </p>
      {run !== null && (
        <p className="to">
          into <code title={run.to}>{shortAddress(run.to)}</code>
        </p>
      )}
      {problem !== null && <ProblemBox problem={{ ...problem, isServerGone: false }} onRetry={() => {}} />}
    </div>
  )
}

/** How many reasons are shown before the rest is folded. */
const shownReasons = 3

/** Below the table, which names the streams: many reasons must not push it out of sight. */
export function SyncFailures({ sync }: { sync: SyncState }) {
  const all = failures(sync)
  if (all.length === 0) return null
  const more = all.slice(shownReasons)
  return (
    <div className="sync-failures">
      {all.slice(0, shownReasons).map((failure) => (
        <FailureBox key={failure.message} failure={failure} />
      ))}
      {more.length > 0 && (
        <details>
          <summary>{count(more.length, 'more reason')}</summary>
          {more.map((failure) => (
            <FailureBox key={failure.message} failure={failure} />
          ))}
        </details>
      )}
    </div>
  )
}

function FailureBox({ failure: { message, hint, code, streams } }: { failure: Failure }) {
  return (
    <section className="problem-box" role="alert" aria-label={`Why ${streams.join(', ')} failed`}>
      <p>
        <b>{streams.join(', ')}</b> <Worded text={formWords(message)} />
      </p>
      {hint !== undefined && (
        <p className="hint">
          <Worded text={formWords(hint)} />
        </p>
      )}
      {code !== undefined && (
        <footer>
          <code>{code}</code>
        </footer>
      )}
    </section>
  )
}

type Failure = NonNullable<SyncReceipt['error']> & { readonly streams: string[] }

/** Streams often fail for the same reason: it is said once. */
function failures({ streams }: SyncState): Failure[] {
  const byMessage = new Map<string, Failure>()
  for (const { name, receipt } of streams.values()) {
    if (receipt?.ending !== 'failed' || receipt.error === undefined) continue
    const known = byMessage.get(receipt.error.message) ?? { ...receipt.error, streams: [] }
    known.streams.push(name)
    byMessage.set(receipt.error.message, known)
  }
  return [...byMessage.values()]
}
