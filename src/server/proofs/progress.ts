/** Work that takes a while → what it tells while it goes on, and how it ended. Whoever leaves the events ends it. */
import type { Egress } from '../../engine/response/egress.ts'
import { ConnectorError } from '../../std/errors.ts'
import { openEventQueue } from '../event-queue.ts'

export type Work<Event> = {
  /** Tells as it goes, and gives its last event; it may throw. */
  readonly run: (tell: (event: Event) => void, signal: AbortSignal) => Promise<Event>
  /** The last event instead, of work that threw or took too long. */
  readonly failed: (error: unknown) => Event
  readonly waiting: Event
  /** Told when it is over, however it ended. */
  readonly onEnd: () => void
}

/** What work of a request is given: where the connector's own classes are, which addresses it may reach, whom to tell at its end. */
export type WorkTools = { readonly folder: string | null; readonly egress: Egress; readonly onEnd: () => void }

/** Often enough for a proxy to keep the connection. */
const silenceMs = 2_000

/** Nobody waits longer in front of a screen. */
const longestMs = 10 * 60_000

/** Begins at once. */
export function progressOf<Event>({ run, failed, waiting, onEnd }: Work<Event>): AsyncIterableIterator<Event> {
  const leaving = new AbortController()
  const line = openEventQueue<Event>({ onLeave: () => leaving.abort(), silenceMs, whenSilent: () => waiting })
  const tooLong = AbortSignal.timeout(longestMs)
  const work = async () => {
    try {
      line.tell(await run(line.tell, AbortSignal.any([leaving.signal, tooLong])))
    } catch (error) {
      line.tell(failed(tooLong.aborted ? tookTooLong() : error))
    } finally {
      line.end()
      onEnd()
    }
  }
  void work()
  return line.events
}

function tookTooLong(): ConnectorError {
  return new ConnectorError('response/timeout', 'It took ten minutes and was ended.')
}
