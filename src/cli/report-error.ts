/** An error → a message on standard error, a TRACE message where a platform runs the command, and an exit code. */
import { ConnectorError } from '../std/errors.ts'
import { printProblems, sayPlace } from '../engine/manifest/problem.ts'
import { failureMessage, isFault, redactedError } from '../protocol/failure.ts'
import type { Redact } from '../protocol/secrets.ts'
import { emitTo } from './output.ts'
import { colours, harmless, paintProblem } from './terminal/print.ts'
import { messageOf } from '../std/text/message-of.ts'

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

/** 2: an error in manifest, config or arguments. 1: a failure while running. */
export function exitCodeFor(error: unknown): 1 | 2 {
  return isFault(error) ? 2 : 1
}

/** Prints code, message, place and hint; with TURNLEAF_DEBUG=1 also the stack. */
export function reportError(error: unknown, redact: Redact = String): void {
  const shown = redactedError(error, redact)
  const stack = process.env.TURNLEAF_DEBUG === '1' ? `${shown.stack}\n` : ''
  process.stderr.write(redact(sayError(error)) + stack)
}

function sayError(error: unknown): string {
  if (!(error instanceof ConnectorError)) {
    const message = harmless(messageOf(error))
    return `${colours.red('unexpected')}: ${message}\n  try  Run again with TURNLEAF_DEBUG=1 and report what it prints.\n`
  }
  if (error.problems.length > 0) return printProblems(error.problems, { paint: paintProblem })
  return sayBlock(error)
}

function sayBlock({ code, message, at, hint }: ConnectorError): string {
  const place = at === undefined ? [] : [`  at   ${colours.dim(sayPlace(at))}`]
  return `${[`${colours.red(code)}: ${harmless(message)}`, ...place, `  try  ${harmless(hint)}`].join('\n')}\n`
}
