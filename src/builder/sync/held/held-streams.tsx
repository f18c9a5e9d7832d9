/** Tables that were not replaced: what is there, what came, why, and the two ways on. */
import { useState } from 'react'
import { count, number } from '../../../std/text/format-count.ts'
import type { HeldStream, Published } from '../../../server/wire/sync.ts'
import { firstRowsOf } from '../query/sql.ts'
import { shortAddress } from '../runs/run-words.ts'
import './held.css'
import { publishHeld } from './use-held.ts'
import { messageOf } from '../../../std/text/message-of.ts'

export function HeldStreams({
  connector,
  held,
  isBusy,
  onQuery,
}: {
  readonly connector: string
  readonly held: readonly HeldStream[]
  /** A sync is under way: it may replace what is held. */
  readonly isBusy: boolean
  readonly onQuery: (sql: string) => void
}) {
  const [done, setDone] = useState<Published | null>(null)
  return (
    <div className="held-streams">
      {held.map((one) => (
        <HeldBox
          key={`${one.destination} ${one.run} ${one.stream}`}
          connector={connector}
          held={one}
          isBusy={isBusy}
          onQuery={onQuery}
          onDone={setDone}
        />
      ))}
      <p role="status" className="published">
        {done !== null && `${done.stream} was published: ${number(done.before)} → ${count(done.after, 'row')}`}
      </p>
    </div>
  )
}

type Step = 'shown' | 'asked' | 'publishing'

function HeldBox({
  connector,
  held: { schema, stream, reason, staged, existing, stagedAs, destination, to, isEmbedded },
  isBusy,
  onQuery,
  onDone,
}: {
  readonly connector: string
  readonly held: HeldStream
  readonly isBusy: boolean
  readonly onQuery: (sql: string) => void
  readonly onDone: (done: Published) => void
}) {
  const [step, setStep] = useState<Step>('shown')
  const [refused, setRefused] = useState<string | null>(null)

  async function replace(): Promise<void> {
    setStep('publishing')
    setRefused(null)
    try {
      onDone(await publishHeld(connector, stream, destination))
    } catch (error) {
      setRefused(messageOf(error))
      setStep('shown')
    }
  }

  return (
    <section className="held-stream" aria-label={`${stream} was held`}>
      <h3>
        <b>{stream}</b> was held: its table was not changed
      </h3>
      <dl>
        <div>
          <dt>In the table</dt>
          <dd>{count(existing, 'row')}</dd>
        </div>
        <div>
          <dt>Read by the sync</dt>
          <dd>{count(staged, 'row')}</dd>
        </div>
      </dl>
      <p className="why">Why: {reason}.</p>
      {!isEmbedded && (
        <p className="help">
          In <code title={to}>{shortAddress(to)}</code>
        </p>
      )}
      {step === 'shown' ? (
        <div className="buttons">
          {stagedAs !== null && isEmbedded && (
            <button type="button" className="button" onClick={() => onQuery(firstRowsOf({ schema, name: stagedAs }))}>
              Query staged rows
            </button>
          )}
          <button type="button" className="button" disabled={isBusy} onClick={() => setStep('asked')}>
            Accept
          </button>
          <span className="help">Or sync again: the next read replaces these rows.</span>
        </div>
      ) : (
        <div className="buttons" role="group" aria-label="Confirm">
          <p>
            Replace the {count(existing, 'row')} of {stream} with {number(staged)}? The old rows cannot be brought back.
          </p>
          <button
            type="button"
            className="button main"
            // The pressed button is gone: keyboard focus continues here.
            ref={(button) => button?.focus()}
            disabled={step === 'publishing' || isBusy}
            onClick={() => void replace()}
          >
            Replace the table
          </button>
          <button type="button" className="button" disabled={step === 'publishing'} onClick={() => setStep('shown')}>
            Keep the table
          </button>
        </div>
      )}
      {refused !== null && (
        <p className="refused" role="alert">
          {refused}
        </p>
      )}
    </section>
  )
}
