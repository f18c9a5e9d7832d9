/** One slice → its job, created and polled until it is completed; failed ones are created again. */
import { ConnectorError, stageOf } from '../../std/errors.ts'
import type { Instances } from '../custom/component.ts'
import type { Config } from '../plan/plan.ts'
import type { JobState } from '../response/notice.ts'
import { pause } from '../response/retry.ts'
import type { Slice } from '../slices/slice.ts'
import { type CleanUpTools, stopJob } from './clean-up.ts'
import { type JobExchange, type JobInput, type Status, completedJob, createdJob, statusOf } from './job.ts'
import type { JobPool } from './pool.ts'

export type JobTools = CleanUpTools & {
  readonly streamName: string
  readonly config: Config
  readonly jobs: JobPool
  /** Of the classes that extract status and targets. */
  readonly instances: Instances
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Airbyte: three, whether the API refused the job, gave it up or never finished it. */
const maxAttempts = 3

type Completed = { readonly kind: 'completed'; readonly job: JobInput; readonly exchange: JobExchange }
type Skipped = { readonly kind: 'skipped' }
type Failed = { readonly kind: 'failed'; readonly error: ConnectorError; readonly waitMs: number }

/** The slot is held from the first creation to the last poll; downloads do not count as running jobs. */
export async function runJob(tools: JobTools, slice: Slice, signal: AbortSignal): Promise<Completed | Skipped> {
  const free = await tools.jobs.takeSlot(signal)
  try {
    for (let attempt = 1; ; attempt++) {
      const ending = await tryJob(tools, { slice, attempt, names: {} }, signal)
      if (ending.kind !== 'failed') return ending
      if (attempt === maxAttempts) throw ending.error
      await pause(ending.waitMs, signal, tools)
    }
  } finally {
    free()
  }
}

async function tryJob(tools: JobTools, input: JobInput, signal: AbortSignal): Promise<Completed | Skipped | Failed> {
  const job = await createJob(tools, input, signal)
  if (job instanceof ConnectorError) return { kind: 'failed', error: job, waitMs: pollWaitMs(0) }
  try {
    return await followJob(tools, job, signal)
  } catch (error) {
    await stopJob(tools, job)
    throw error
  }
}

/** A failure that may be temporary is returned; any other is thrown. */
async function createJob(tools: JobTools, input: JobInput, signal: AbortSignal): Promise<JobInput | ConnectorError> {
  try {
    const created = await lingering(signal, (patient) => tools.send('create', input, patient))
    const { request, response } = created
    if (response.isIgnored) throw notCreated(tools, created)
    reportJob(tools, input, 'created', { reason: `status ${response.status}`, url: request.url })
    return createdJob(input, created)
  } catch (error) {
    if (!mayPass(error)) throw error
    reportJob(tools, input, 'refused', { reason: error.message, url: '' })
    return error
  }
}

/** Airbyte: errors of config or manifest end the stream; everything else gets another try. */
function mayPass(error: unknown): error is ConnectorError {
  if (!(error instanceof ConnectorError) || error.code === 'response/aborted') return false
  return error.failureType !== 'config_error' && ['response', 'jobs'].includes(stageOf(error.code))
}

async function followJob(tools: JobTools, job: JobInput, signal: AbortSignal): Promise<Completed | Skipped | Failed> {
  const { plan, config, instances, now } = tools
  const since = now()
  const reportStatus = createStatusReporter(tools, job)
  while (now() - since <= plan.timeoutMs) {
    const exchange = await tools.send('poll', job, signal)
    const status = statusOf(plan, exchange, { config, instances, slice: job.slice })
    reportStatus(status, exchange)
    switch (status.meaning) {
      case 'running':
        await pause(pollWaitMs(now() - since), signal, tools)
        break
      case 'completed':
        return { kind: 'completed', job: completedJob(job, exchange), exchange }
      case 'skipped':
        return { kind: 'skipped' }
      case 'failed':
        return { kind: 'failed', error: failed(tools, status), waitMs: plan.retryWaitMs ?? pollWaitMs(0) }
      case 'timeout':
        return stopLate(tools, job, `the API says \`${status.word}\``)
    }
  }
  const reason = `it did not end within ${plan.timeoutMs / 60_000} min`
  reportJob(tools, job, 'timed-out', { reason, url: job.home ?? '' })
  return stopLate(tools, job, reason)
}

async function stopLate(tools: JobTools, job: JobInput, reason: string): Promise<Failed> {
  await stopJob(tools, job)
  return { kind: 'failed', error: timedOut(tools, reason), waitMs: pollWaitMs(0) }
}

/**
 * Airbyte: 5 s, always. Here a twentieth of the time a long job has taken already, and never more than half a minute.
 *
 * @example pollWaitMs(300_000) // 15_000
 */
function pollWaitMs(elapsedMs: number): number {
  return Math.min(30_000, Math.max(5_000, Math.round(elapsedMs / 20)))
}

const states = {
  running: 'running',
  completed: 'completed',
  failed: 'failed',
  timeout: 'timed-out',
  skipped: 'skipped',
} as const satisfies Record<Status['meaning'], JobState>

/** A job may run for hours: its status is reported when it changes, and from time to time. */
const pollsBetweenReports = 12

function createStatusReporter(tools: JobTools, job: JobInput): (status: Status, exchange: JobExchange) => void {
  let last = ''
  let silent = 0
  return ({ word, meaning }, { request }) => {
    silent = word === last ? silent + 1 : 0
    last = word
    if (silent % pollsBetweenReports === 0) reportJob(tools, job, states[meaning], { reason: word, url: request.url })
  }
}

function reportJob(
  tools: JobTools,
  { attempt }: JobInput,
  state: JobState,
  about: { reason: string; url: string },
): void {
  tools.report({ kind: 'job', state, attempt, ...about })
}

function notCreated({ streamName, plan }: JobTools, { response }: JobExchange): ConnectorError {
  const message = `The job of stream "${streamName}" was not created: status ${response.status}, which the manifest ignores.`
  return new ConnectorError('jobs/failed', message, { at: plan.at })
}

function failed({ streamName, plan }: JobTools, { word }: Status): ConnectorError {
  const message = `The job of stream "${streamName}" did not complete in ${maxAttempts} tries; the last one failed: the API says \`${word}\`.`
  return new ConnectorError('jobs/failed', message, { at: plan.at })
}

function timedOut({ streamName, plan }: JobTools, reason: string): ConnectorError {
  const message = `The job of stream "${streamName}" did not complete in ${maxAttempts} tries; the last one timed out: ${reason}.`
  return new ConnectorError('jobs/timed-out', message, { at: plan.at })
}

/** By the wall clock: a read that was cancelled must end. */
const momentMs = 5_000

/**
 * A job whose creation is cancelled half-way may run on the server, and no one knows of it. Its response is worth a moment:
 * a job that is known can be aborted.
 *
 * @example const created = await lingering(signal, (patient) => send(request, patient))
 */
async function lingering<T>(signal: AbortSignal, act: (patient: AbortSignal) => Promise<T>): Promise<T> {
  const patient = new AbortController()
  const endSoon = () => {
    const end = () => patient.abort(signal.reason)
    AbortSignal.timeout(momentMs).addEventListener('abort', end, { once: true })
  }
  if (signal.aborted) patient.abort(signal.reason)
  else signal.addEventListener('abort', endSoon, { once: true })
  try {
    return await act(patient.signal)
  } finally {
    signal.removeEventListener('abort', endSoon)
  }
}
