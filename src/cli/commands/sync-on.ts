/** `turnleaf sync CONNECTION --on postgres://…`: submits the sync to the workers, and follows it. */
import { isatty } from 'node:tty'
import { isPath } from '../../connections/find-connection.ts'
import { withoutPasswords } from '../../destinations/without-passwords.ts'
import { isFaultCode } from '../../protocol/failure.ts'
import type { Redact } from '../../protocol/secrets.ts'
import type { Requirement } from '../../proof/verdict/verdict-name.ts'
import { ConnectorError, type ErrorCode } from '../../std/errors.ts'
import { stringifyJson } from '../../std/json.ts'
import { count } from '../../std/text/format-count.ts'
import type { ShownError } from '../../sync/receipt.ts'
import { type FollowedJob, followJob } from '../../workers/follow.ts'
import { openWorkers } from '../../workers/open.ts'
import type { JobEvent } from '../../workers/progress.ts'
import type { SyncTask } from '../../workers/queue.ts'
import { listenForInterrupt } from '../interrupt.ts'
import { ignoreClosedPipe } from '../closed-pipe.ts'
import { reportError } from '../report-error.ts'
import { colours, isWatched, oneLine, say } from '../terminal/print.ts'
import { type ProgressDisplay, showProgress } from '../terminal/progress.ts'
import { sayReceipts } from '../terminal/receipts.ts'
import { syncExitCode } from '../../sync/exit-code.ts'
import { sayOutcome } from '../terminal/sync-outcome.ts'
import { workersAddress } from '../workers-address.ts'
import { diagnoseCommand, modesFrom, refuseParts, type SyncCommandOptions } from './sync.ts'

export async function runSyncOn(
  name: string | undefined,
  given: SyncCommandOptions,
  learn: (redact: Redact) => void,
  more: Pick<SyncTask, 'isScheduled'> = {},
): Promise<number> {
  learn(withoutPasswords)
  const task = { ...taskOf(name, given), ...more }
  await using workers = await openWorkers(workersAddress(given.on))
  const { database, queue } = workers
  const { id, isRunning } = await queue.submitSync(task)
  if (isRunning) say(`A sync of "${task.connection}" is already waiting or running: following job ${id}.`)
  else say(`Submitted the sync of "${task.connection}": job ${id}.`)
  if (given.detach === true) {
    process.stdout.write(`${id}\n`)
    return 0
  }
  const { json = false } = given
  const progress = showProgress({ isLive: isWatched && process.env.TERM !== 'dumb' && !(json && isatty(1)) })
  const shown: Shown = { require: given.require ?? 'unproven', schema: undefined }
  ignoreClosedPipe()
  const interrupt = listenForInterrupt()
  interrupt.signal.addEventListener('abort', () =>
    progress.say('Cancelling the job: its worker commits what was read. Press Ctrl-C again to leave at once.'),
  )
  let followed: FollowedJob
  try {
    followed = await followJob(id, {
      query: database.query,
      queue,
      signal: interrupt.signal,
      onEvent(event) {
        if (json) process.stdout.write(`${stringifyJson(event)}\n`)
        show(event, progress, shown)
      },
    })
  } finally {
    sayReceipts(progress.end())
  }
  return interrupt.exitCode() ?? sayEnd(followed, task.connection, shown)
}

function taskOf(name: string | undefined, given: SyncCommandOptions): SyncTask {
  if (name === undefined || isPath(name)) {
    throw new ConnectorError('cli/arguments', 'With --on, name a connection.', {
      hint: 'Workers find it by its name in their TURNLEAF_HOME/connections; see docs/scale.md.',
    })
  }
  refuseParts(name, given)
  const { stream: streams, require, prefetch, concurrency, streams: streamsAtOnce, fresh: isFresh, acceptDrop } = given
  const mode = modesFrom(given.mode)
  return {
    connection: name,
    options: { streams, mode, require, prefetch, concurrency, streamsAtOnce, isFresh, acceptDrop },
  }
}

type Shown = { require: Requirement; schema: string | undefined }

function show(event: JobEvent, progress: ProgressDisplay, shown: Shown): void {
  switch (event.kind) {
    case 'job-taken':
      progress.say(
        event.attempt === 0
          ? `Worker ${oneLine(event.worker)} has taken the job.`
          : `Worker ${oneLine(event.worker)} has taken the job over.`,
      )
      return
    case 'job-opened':
      shown.require = event.require
      shown.schema = event.schema ?? undefined
      return
    case 'job-notice':
      progress.say(event.isWarning ? `${colours.yellow('warning')}: ${oneLine(event.text)}` : oneLine(event.text))
      return
    case 'parts':
      if (event.ended > 0 && event.ended < event.parts) return
      progress.say(
        event.ended === 0
          ? `${oneLine(event.stream)} is read in ${event.parts} parts by all workers.`
          : `${oneLine(event.stream)}: all parts ended.`,
      )
      return
    case 'summary':
    case 'job-failed':
      return
    default:
      progress.show(event)
  }
}

function sayEnd(followed: FollowedJob, connection: string, { require, schema }: Shown): number {
  if (followed.kind === 'error') {
    reportError(errorOf(followed.error))
    return followed.error.code !== undefined && isFaultCode(followed.error.code) ? 2 : 1
  }
  const { result, outcome, isCancelled } = followed
  if (isCancelled) say('The job was cancelled.')
  if (result === null && outcome !== null) {
    const { ending, records } = outcome
    say(
      `The job has ended: ${ending}, ${count(records, 'record')}. Only a newer version of Turnleaf can show its receipts.`,
    )
    return ending === 'complete' ? 0 : 1
  }
  if (result === null) return 1
  sayOutcome(result, require, { schema, connection })
  const command = diagnoseCommand(result.receipts, connection)
  if (command !== null) say(`To find out why: ${command}`)
  return syncExitCode(result)
}

function errorOf({ code, message, at, hint }: ShownError): Error {
  return code === undefined ? new Error(message) : new ConnectorError(code as ErrorCode, message, { at, hint })
}
