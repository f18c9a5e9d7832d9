/** One sync of this server while it runs and after: its status, its events, and how it is stopped. */
import type { SyncEvent } from '../../sync/events.ts'
import type { RunDestination } from '../destinations/run-destinations.ts'
import { worstVerdict } from '../../proof/verdict/verdict-name.ts'
import type { LatestRun } from '../wire/run.ts'
import type { SyncRun } from '../wire/sync.ts'
import { openSyncLog, type SyncNews } from './log.ts'

export type TrackedSync = {
  readonly run: () => SyncRun
  readonly onEvent: (event: SyncEvent) => void
  /** Aborted by `stop`. */
  readonly signal: AbortSignal
  /** It ends as the promise does. */
  readonly until: (outcome: Promise<Pick<SyncRun, 'status' | 'problem'>>) => void
  readonly follow: (signal: AbortSignal) => AsyncGenerator<SyncNews>
  /** The connector got another name. */
  readonly rename: (connector: string) => void
  /** Waits until what was read is committed. */
  readonly stop: () => Promise<void>
}

export function openTracked(
  id: string,
  target: RunDestination,
  startedBy: SyncRun['startedBy'],
  note: (run: LatestRun) => void,
): TrackedSync {
  const { connector, to, id: destination } = target
  const log = openSyncLog()
  const stop = new AbortController()
  const startedAt = new Date().toISOString()
  let run: SyncRun = {
    id,
    connector,
    to,
    destination,
    run: null,
    startedBy,
    startedAt,
    status: 'running',
    problem: null,
  }
  let ended: Promise<void> = Promise.resolve()
  const summary = { connector, to, startedAt, endedAt: null, status: 'running', verdict: null, records: 0 } as const
  note(summary)
  let counts: Pick<LatestRun, 'verdict' | 'records'> = { verdict: null, records: 0 }

  async function settle(outcome: Promise<Pick<SyncRun, 'status' | 'problem'>>): Promise<void> {
    const changed = await outcome
    run = { ...run, ...changed }
    note({ ...summary, ...counts, status: changed.status, endedAt: new Date().toISOString() })
    log.end()
  }

  return {
    run: () => run,
    signal: stop.signal,
    onEvent(event) {
      if (event.kind === 'run-started') run = { ...run, run: event.run }
      if (event.kind === 'run-ended') {
        const { receipts } = event.result
        const records = receipts.reduce((sum, receipt) => sum + receipt.records, 0)
        counts = { verdict: worstVerdict(receipts), records }
      }
      log.add(event)
    },
    until(outcome) {
      ended = settle(outcome)
    },
    follow: (signal) => log.follow(signal),
    rename(name) {
      run = { ...run, connector: name }
    },
    async stop() {
      stop.abort()
      await ended
    },
  }
}
