/** Runs a command; its failure becomes a message for people and, where a platform runs it, a TRACE message. */
import { failureMessage } from '../protocol/failure.ts'
import type { Redact } from '../protocol/secrets.ts'
import { emitTo } from './output.ts'
import { exitCodeFor, reportError } from './report-error.ts'

type Learn = (redact: Redact) => void
type Command = (learn: Learn) => Promise<number>

/** `run` calls `learn` with a function that hides secrets, as soon as it knows any. */
export function withFailureTrace(run: Command): Promise<number> {
  return withFailureReport(run, (error, redact) => emitTo(process.stdout)([failureMessage(error, Date.now(), redact)]))
}

/** For commands that no platform runs. */
export async function withFailureReport(
  run: Command,
  emit: (error: unknown, redact: Redact) => void | Promise<void> = () => {},
): Promise<number> {
  let redact: Redact = String
  try {
    return await run((known) => {
      redact = known
    })
  } catch (error) {
    await emit(error, redact)
    reportError(error, redact)
    return exitCodeFor(error)
  }
}
