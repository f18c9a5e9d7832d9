/** A worker: takes jobs while it has free slots, keeps their leases, and stops those that it has to hand back. */
import { redactedError } from '../protocol/failure.ts'
import { sleep } from '../std/sleep.ts'
import { shownError } from '../sync/receipt.ts'
import type { QueueDatabase } from './database.ts'
import { endAbandonedSchedules } from './end-schedule.ts'
import { forgetOldProgress } from './progress.ts'
import type { HeldJob, JobKind, Queue } from './queue.ts'
import type { JobRun, Stop, WorkerOptions } from './job-run.ts'
import { runSyncJob } from './run-sync-job.ts'
import { runPartJob } from './run-part-job.ts'
import { startDue } from './schedules.ts'
import { createTally, type Tally } from './tally.ts'

export type Worker = {
  readonly tally: Tally
  readonly running: (kind: JobKind) => number
  /** How long ago the queue was reached. */
  readonly unreachedMs: () => number
  /** When it has stopped, every job handed back. */
  readonly ended: Promise<void>
}

const pollMs = 500
const renewMs = 2500
const scheduleMs = 1000
const abandonedMs = 5000
const unknownMs = 5000
const cleanMs = 3_600_000

/** Handed on before the queue takes it away. */
const longestMs = 23 * 3_600_000

type Running = { readonly job: HeldJob; readonly stop: (why: Stop) => void; readonly ended: Promise<void> }

type Run<Kind extends JobKind> = (job: HeldJob<Kind>, how: JobRun) => Promise<void>

const whileAway = 'Check the database and the network to it. The worker tries again by itself, and continues its jobs.'

export function startWorker(database: QueueDatabase, queue: Queue, options: WorkerOptions): Worker {
  const { slots, signal, log } = options
  const tally = createTally()
  /** By attempt: one that has to stop may not have ended when the next one begins. */
  const running = new Map<string, Running>()
  /** Aborted when a slot is free again. */
  let freed = new AbortController()
  const runningOf = (kind: JobKind) => [...running.values()].filter(({ job }) => job.kind === kind).length
  // Not the time of day, which may be set back.
  let reachedAt = performance.now()
  let lostAt = Number.NEGATIVE_INFINITY
  let isReachable = true
  /** A database that is away for a while ends no worker. The work always asks it something: what asks nothing cannot tell. */
  const reaching = async (work: () => Promise<void>) => {
    const askedAt = performance.now()
    try {
      await work()
      // It may have been answered before the queue was lost, while other work kept this process from noticing.
      if (askedAt <= lostAt) return
      reachedAt = performance.now()
      if (!isReachable) log({ level: 'info', event: 'queue-reached' })
      isReachable = true
    } catch (error) {
      // Something else was answered meanwhile: the queue is there.
      if (reachedAt > askedAt) return
      const shown = { ...shownError(redactedError(error, String)), hint: whileAway }
      if (isReachable) log({ level: 'error', event: 'queue-unreachable', error: shown })
      isReachable = false
      lostAt = performance.now()
    }
  }
  const begin = <Kind extends JobKind>(job: HeldJob<Kind>, run: Run<Kind>) => {
    const cancel = new AbortController()
    let why: Stop | null = null
    const stop = (reason: Stop) => {
      why ??= reason
      cancel.abort(new Error(`The job was stopped: ${reason}`))
    }
    // The queue took the job from an attempt here before that noticed: both would read, and only one lease is renewed.
    for (const before of running.values()) if (before.job.id === job.id) before.stop('lost')
    const timer = setTimeout(() => stop('hand-back'), longestMs)
    const ended = run(job, { database, queue, options, tally, signal: cancel.signal, why: () => why }).finally(() => {
      clearTimeout(timer)
      running.delete(attemptOf(job))
      // The next job need not wait for the next look.
      freed.abort()
    })
    running.set(attemptOf(job), { job, stop, ended })
  }
  const renew = async () => {
    const jobs = [...running.values()].map(({ job }) => job)
    for (const job of await queue.renew(jobs)) running.get(attemptOf(job))?.stop('lost')
  }
  const renewHeld = async () => {
    if (running.size > 0) await reaching(renew)
  }
  const startScheduled = async () => {
    const started = await startDue(database, queue)
    if (started.length > 0) log({ level: 'info', event: 'schedules-started', count: started.length })
  }
  let saidFormat = 0
  const sayUnknownFormat = async () => {
    const format = await queue.unknownFormat()
    if (format === null || format <= saidFormat) return
    saidFormat = format
    log({
      level: 'warn',
      event: 'newer-jobs',
      format,
      text: 'Jobs of a newer version of Turnleaf wait for its workers.',
    })
  }
  const every = async (ms: number, work: () => Promise<void>, until: AbortSignal) => {
    while (!until.aborted) {
      await work()
      if (!until.aborted) await sleep(ms, until).catch(() => {})
    }
  }
  const taking = async <Kind extends JobKind>(kind: Kind, run: Run<Kind>) => {
    while (!signal.aborted) {
      const free = slots[kind] - runningOf(kind)
      if (free > 0)
        await reaching(async () => {
          for (const job of await queue.take(kind, free)) begin(job, run)
        })
      // A slot became free while this one looked.
      if (freed.signal.aborted) freed = new AbortController()
      else if (!signal.aborted) await sleep(pollMs, AbortSignal.any([signal, freed.signal])).catch(() => {})
    }
  }
  const finish = async () => {
    // Leases are kept until the last job has ended.
    const done = new AbortController()
    const renewing = every(renewMs, renewHeld, done.signal)
    const asking = (ms: number, work: () => Promise<void>) => every(ms, () => reaching(work), signal)
    await Promise.all([
      taking('sync', runSyncJob),
      taking('part', runPartJob),
      asking(scheduleMs, startScheduled),
      asking(unknownMs, sayUnknownFormat),
      asking(abandonedMs, () => endAbandonedSchedules({ database, options }, queue)),
      asking(cleanMs, () => forgetOldProgress(database.query)),
    ])
    for (const { stop } of running.values()) stop('hand-back')
    await Promise.all([...running.values()].map(({ ended }) => ended))
    done.abort()
    await renewing
  }
  return { tally, running: runningOf, unreachedMs: () => performance.now() - reachedAt, ended: finish() }
}

function attemptOf({ id, attempt }: HeldJob): string {
  return `${id} ${attempt}`
}
