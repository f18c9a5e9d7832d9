/** The lines about one job in the log of its worker. They hold no secret. */
import { redactedError } from '../protocol/failure.ts'
import type { Redact } from '../protocol/secrets.ts'
import { shownError, type ShownError } from '../sync/receipt.ts'
import type { LogLine, WorkerOptions } from './job-run.ts'

export type JobLog = {
  readonly write: (line: LogLine) => void
  /** Takes the function that hides secrets, once they are known. */
  readonly learn: (redact: Redact) => void
  readonly redact: Redact
  readonly shown: (error: unknown) => ShownError
  /** What the work gives; null where it failed. Then the lease ends by itself, and another worker takes the job. */
  readonly settle: <Result>(what: string, work: () => Promise<Result>) => Promise<Result | null>
}

export function openJobLog(log: WorkerOptions['log'], about: Readonly<Record<string, unknown>>): JobLog {
  let known: Redact = String
  const write = ({ level, event, ...more }: LogLine) => log({ level, event, ...about, ...more })
  const shown = (error: unknown) => shownError(redactedError(error, known))
  return {
    write,
    learn(redact) {
      known = redact
    },
    redact: (text) => known(text),
    shown,
    async settle(what, work) {
      try {
        return await work()
      } catch (error) {
        write({ level: 'error', event: `cannot-${what}`, error: shown(error) })
        return null
      }
    },
  }
}
