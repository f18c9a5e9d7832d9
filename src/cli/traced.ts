/** A protocol command's error goes to both readers: TRACE for the platform, words for the person. */
import { failureMessage } from '../protocol/failure.ts'
import type { Redact } from '../protocol/secrets.ts'
import { emitTo } from './output.ts'
import { exitCodeFor, reportError } from './report.ts'

type Learn = (redact: Redact) => void

/** `run` may hand over what hides secrets as soon as it knows any. */
export async function traced(run: (learn: Learn) => Promise<number>): Promise<number> {
  let redact: Redact = String
  try {
    return await run((known) => {
      redact = known
    })
  } catch (error) {
    await emitTo(process.stdout)([failureMessage(error, Date.now(), redact)])
    reportError(error, redact)
    return exitCodeFor(error)
  }
}
