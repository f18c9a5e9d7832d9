/** The schedules of TURNLEAF_HOME: run in this process, and edited by the routes. */
import { join } from 'node:path'
import { connectionNames, findConnection } from '../../connections/find-connection.ts'
import type { Schedule } from '../../connections/schedule.ts'
import type { Egress } from '../../engine/response/egress.ts'
import { openNetwork } from '../../engine/response/send.ts'
import { pauseSchedule, removeSchedule, setSchedule, withSchedule } from '../../schedules/edit-schedule.ts'
import { type ListedSchedule, listedSchedule, listSchedules } from '../../schedules/list-schedules.ts'
import { runConnection, type RunOutcome } from '../../schedules/run-connection.ts'
import { openScheduler, type ScheduleRunner, type SchedulerEvent } from '../../schedules/scheduler.ts'
import { openScheduleStore } from '../../schedules/store.ts'
import { sendWebhook, webhookBody } from '../../schedules/webhook.ts'
import { ConnectorError, type ErrorCode } from '../../std/errors.ts'
import { nearMiss } from '../../std/text/near-miss.ts'
import type { SyncEvent } from '../../sync/events.ts'
import { checkConnectionAddress } from '../destinations/choose-address.ts'
import { problemOf } from '../responses.ts'
import { isSharedServer, openEnvironmentNames } from '../secrets/environment-names.ts'
import type { BoundSecret } from '../secrets/secret-network.ts'
import type { Syncs } from '../syncs/syncs.ts'
import type { SyncRun } from '../wire/sync.ts'
import { asItIs } from '../wrap-network.ts'
import { openRunSecrets, refuseWrittenSecrets } from './run-secrets.ts'

export type Schedules = {
  readonly list: () => Promise<ListedSchedule[]>
  readonly set: (name: string, schedule: Schedule) => Promise<ListedSchedule>
  readonly pause: (name: string, isPaused: boolean) => Promise<ListedSchedule>
  readonly remove: (name: string) => Promise<void>
  /** Starts a run now. */
  readonly run: (name: string) => Promise<ListedSchedule>
  /** The connections that are being synced. */
  readonly running: () => readonly string[]
  readonly runner: () => ScheduleRunner
  /** From now on schedules run by themselves. */
  readonly begin: () => void
  /** Ends runs after they commit what they read. */
  [Symbol.asyncDispose](): Promise<void>
}

export type ScheduleNews =
  | SchedulerEvent
  | { readonly kind: 'webhook-failed'; readonly name: string; readonly reason: string }

export type SchedulesOptions = {
  readonly home: string
  /** For webhooks and runs: clients of the server create connections and start them. */
  readonly egress: Egress
  /** That clients of the server must send; null where it has none. */
  readonly token: string | null
  /** Environment variables that the operator allows where others can reach the server, with their origins. */
  readonly environment?: readonly BoundSecret[] | undefined
  /** Where a connection names no destination; the embedded database when absent. */
  readonly defaultDestination?: () => string
  /** Shows a run while it runs. */
  readonly watch?: Syncs['watch'] | undefined
  readonly onNews?: (news: ScheduleNews) => void
  readonly onWarning?: (name: string, text: string) => void
}

export function openSchedules({
  home,
  egress,
  token,
  environment: named = [],
  defaultDestination = () => `duckdb:${join(home, 'turnleaf.duckdb')}`,
  watch,
  onNews = () => {},
  onWarning = () => {},
}: SchedulesOptions): Schedules {
  const store = openScheduleStore(home)
  const sending = new Set<Promise<void>>()
  const isShared = isSharedServer({ token, egress })
  const environment = openEnvironmentNames({ isShared, named })

  async function notify(event: Extract<SchedulerEvent, { kind: 'ended' }>): Promise<void> {
    const { name } = event
    const connection = await findConnection(name, home)
    const signal = new AbortController().signal
    const reason = await sendWebhook(connection, webhookBody(name, event), { egress, signal })
    if (reason !== null) onNews({ kind: 'webhook-failed', name, reason })
  }

  async function run(name: string, watching: Watching): Promise<RunOutcome> {
    const secrets = isShared ? openRunSecrets(environment) : null
    return runConnection(name, {
      home,
      defaultDestination,
      checkDestination: (address, written) => checkConnectionAddress(address, written, egress),
      variable: secrets?.variable,
      file: secrets?.file,
      checkWritten: isShared ? refuseWrittenSecrets : undefined,
      openNetwork: () => (secrets?.wrap ?? asItIs)(openNetwork({ egress })),
      warn: (text) => onWarning(name, text),
      ...watching,
    })
  }

  const scheduler = openScheduler({
    store,
    run: (name, signal) => watched(name, signal, watch, home, (watching) => run(name, watching)),
    onEvent(event) {
      onNews(event)
      // What was interrupted resumes, and is reported then.
      if (event.kind !== 'ended' || event.outcome.status === 'interrupted') return
      const sent: Promise<void> = notify(event)
        .catch(() => onNews({ kind: 'webhook-failed', name: event.name, reason: 'it cannot be sent' }))
        .finally(() => sending.delete(sent))
      sending.add(sent)
    },
  })

  /** The paths of this machine are none of the client's business. */
  async function known<T>(name: string, work: () => Promise<T>): Promise<T> {
    const names = await connectionNames(home)
    if (names.includes(name)) return work()
    const near = nearMiss(name, names)
    throw new ConnectorError('server/not-found', `There is no connection "${name}".`, {
      ...(near !== undefined && { hint: `Did you mean ${near}?` }),
    })
  }

  async function listed(name: string): Promise<ListedSchedule> {
    const found = await store.find(name)
    if (found === null) throw new ConnectorError('schedules/none', `The connection "${name}" has no schedule.`)
    return listedSchedule(found, Date.now())
  }

  return {
    list: () => listSchedules(store, Date.now()),
    set: (name, schedule) =>
      known(name, async () => {
        await setSchedule(name, schedule, home, Date.now())
        scheduler.wake()
        return listed(name)
      }),
    pause: (name, isPaused) =>
      known(name, async () => {
        await pauseSchedule(name, isPaused, home)
        scheduler.wake()
        return listed(name)
      }),
    remove: (name) =>
      known(name, async () => {
        await removeSchedule(name, home)
        scheduler.wake()
      }),
    run: (name) =>
      known(name, async () => {
        await withSchedule(name, home)
        await scheduler.runNow(name)
        return listed(name)
      }),
    running: () => [...scheduler.running()],
    runner: scheduler.runner,
    begin: scheduler.begin,
    async [Symbol.asyncDispose]() {
      await scheduler[Symbol.asyncDispose]()
      await Promise.all(sending)
    },
  }
}

type Watching = { readonly signal: AbortSignal; readonly onEvent?: (event: SyncEvent) => void }

/** What a person stops while it is shown is not resumed at once. */
async function watched(
  name: string,
  signal: AbortSignal,
  watch: Syncs['watch'] | undefined,
  home: string,
  run: (watching: Watching) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  // A connection that cannot be opened is reported by the run itself.
  const tracked = await findConnection(name, home)
    .then((connection) => watch?.(connection) ?? null)
    .catch(() => null)
  if (tracked === null) return run({ signal })
  const running = run({ signal: AbortSignal.any([signal, tracked.signal]), onEvent: tracked.onEvent })
  tracked.until(running.then(shownOutcome))
  const outcome = await running
  const isCancelled = outcome.status === 'interrupted' && tracked.signal.aborted && !signal.aborted
  return isCancelled ? { ...outcome, status: 'cancelled' } : outcome
}

function shownOutcome({ status, error, receipts }: RunOutcome): Pick<SyncRun, 'status' | 'problem'> {
  const isOver = status === 'complete' || status === 'incomplete' || status === 'held' || status === 'interrupted'
  // An error of a stream is in its receipt.
  const problem =
    error === null || receipts.length > 0
      ? null
      : problemOf(new ConnectorError(error.code as ErrorCode, error.message, { hint: error.hint }))
  return { status: isOver ? status : 'failed', problem }
}
