/** `turnleaf jobs` */
import { withoutPasswords } from '../../destinations/without-passwords.ts'
import { ConnectorError } from '../../std/errors.ts'
import { stringifyJson } from '../../std/json.ts'
import { count, number } from '../../std/text/format-count.ts'
import { openWorkers } from '../../workers/open.ts'
import { type JobSummary, summariesOf } from '../../workers/progress.ts'
import type { QueuedJob } from '../../workers/queue.ts'
import { withFailureReport } from '../report-error.ts'
import { oneLine, say, tableOf } from '../terminal/print.ts'
import { workersAddress } from '../workers-address.ts'

type JobsOptions = { readonly on?: string; readonly limit?: number; readonly json?: boolean }

/** The options may stand before or after `list`. */
export function runJobs(given: JobsOptions, command?: { optsWithGlobals(): JobsOptions }): Promise<number> {
  return withFailureReport(async (learn) => {
    learn(withoutPasswords)
    const { on, limit = 50, json = false } = command?.optsWithGlobals() ?? given
    await using workers = await openWorkers(workersAddress(on))
    const jobs = await workers.queue.list(limit)
    const summaries = await summariesOf(
      workers.database.query,
      jobs.map(({ id }) => id),
    )
    const listed = jobs.map((job) => listedJob(job, summaries.get(job.id)))
    if (json) for (const job of listed) process.stdout.write(`${stringifyJson(job)}\n`)
    else if (listed.length === 0) say('There are no jobs.')
    else
      process.stdout.write(
        `${tableOf(['id', 'connection', 'state', 'worker', 'progress'], listed.map(row)).join('\n')}\n`,
      )
    return 0
  })
}

type ListedJob = ReturnType<typeof listedJob>

function listedJob({ outcome, ...job }: QueuedJob, summary: JobSummary | undefined) {
  const { ending = null, error = null } = outcome ?? {}
  return {
    ...job,
    ending,
    worker: summary?.worker ?? null,
    streams: summary?.streams ?? 0,
    streamsEnded: summary?.ended ?? 0,
    records: outcome?.records || (summary?.records ?? 0),
    error,
  }
}

function row(job: ListedJob): string[] {
  const state = job.state === 'ended' ? (job.ending ?? 'ended') : job.state
  return [job.id, oneLine(job.connection), state, oneLine(job.worker ?? ''), oneLine(progressOf(job))]
}

function progressOf({ state, records, streams, streamsEnded, attempt, error }: ListedJob): string {
  const words = [
    ...(records > 0 || state === 'ended' ? [count(records, 'record')] : []),
    ...(streams > 0 ? [`${number(streamsEnded)} of ${count(streams, 'stream')}`] : []),
    ...(attempt > 0 ? [`taken ${attempt + 1} times`] : []),
    ...(error === null ? [] : [error.code ?? error.message]),
  ]
  return words.join(', ')
}

export function runJobsCancel(
  id: string,
  given: JobsOptions,
  command?: { optsWithGlobals(): JobsOptions },
): Promise<number> {
  return withFailureReport(async (learn) => {
    learn(withoutPasswords)
    await using workers = await openWorkers(workersAddress((command?.optsWithGlobals() ?? given).on))
    const { queue } = workers
    const job = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(id) ? await queue.find('sync', id) : null
    if (job === null) throw new ConnectorError('workers/no-job', `There is no job ${id}.`)
    const cancelled = await queue.cancel('sync', [id])
    say(
      cancelled > 0
        ? `Cancelled the sync of "${job.connection}". What it has read is kept; the next sync resumes.`
        : `The sync of "${job.connection}" had already ended.`,
    )
    return 0
  })
}
