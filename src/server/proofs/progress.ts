/** Long-running work → its events and how it ended. A client that stops reading ends it. */
import type { Egress } from '../../engine/response/egress.ts'
import { ConnectorError } from '../../std/errors.ts'
import { openEventQueue } from '../event-queue.ts'
import type { WrapNetwork } from '../wrap-network.ts'

export type Work<Event> = {
  /** Sends events, and returns the last one; it may throw. */
  readonly run: (send: (event: Event) => void, signal: AbortSignal) => Promise<Event>
  /** The last event of work that threw or took too long. */
  readonly failed: (error: unknown) => Event
  readonly waiting: Event
  /** Called at the end, however it ended. */
  readonly onEnd: () => void
}

/** The folder with the connector's classes, the addresses that may be reached, and a callback for the end. */
export type WorkTools = {
  readonly folder: string | null
  readonly egress: Egress
  readonly wrapNetwork?: WrapNetwork | undefined
  readonly onEnd: () => void
}

/** Often enough that a proxy keeps the connection. */
const silenceMs = 2_000

/** Longer than anyone waits at a screen. */
const longestMs = 10 * 60_000

/** Starts at once. */
export function progressOf<Event>({ run, failed, waiting, onEnd }: Work<Event>): AsyncIterableIterator<Event> {
  const leaving = new AbortController()
  const queue = openEventQueue<Event>({ onLeave: () => leaving.abort(), silenceMs, whenSilent: () => waiting })
  const tooLong = AbortSignal.timeout(longestMs)
  const work = async () => {
    try {
      queue.send(await run(queue.send, AbortSignal.any([leaving.signal, tooLong])))
    } catch (error) {
      queue.send(failed(tooLong.aborted ? tookTooLong() : error))
    } finally {
      queue.end()
      onEnd()
    }
  }
  void work()
  return queue.events
}

function tookTooLong(): ConnectorError {
  return new ConnectorError('response/timeout', 'It was stopped after ten minutes.')
}
