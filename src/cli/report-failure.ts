/** A command's error goes to everyone who waits for one: words for the person, TRACE for the platform. */
import { failureMessage } from '../protocol/failure.ts'
import type { Redact } from '../protocol/secrets.ts'
import { emitTo } from './output.ts'
import { exitCodeFor, reportError } from './report.ts'

type Learn = (redact: Redact) => void
type Command = (learn: Learn) => Promise<number>

/** `run` may hand over what hides secrets as soon as it knows any. */
export function traced(run: Command): Promise<number> {
  return reported(run, (error, redact) => emitTo(process.stdout)([failureMessage(error, Date.now(), redact)]))
}

/** For commands that no platform runs. */
export async function reported(
  run: Command,
  tell: (error: unknown, redact: Redact) => void | Promise<void> = () => {},
): Promise<number> {
  let redact: Redact = String
  try {
    return await run((known) => {
      redact = known
    })
  } catch (error) {
    await tell(error, redact)
    reportError(error, redact)
    return exitCodeFor(error)
  }
}
