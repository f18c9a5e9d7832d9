/** What a command does when no one reads its output any more. */
import { ConnectorError } from '../std/errors.ts'
import { reportError } from './report-error.ts'

let endsWithPipe = true

/** For commands whose output is not their work: a closed pipe does not end them. */
export function ignoreClosedPipe(): void {
  endsWithPipe = false
}

/** `turnleaf … | head -1` is a success. */
export function endWhenPipeCloses(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!endsWithPipe) return
    if (error.code === 'EPIPE') process.exit(0)
    const message = `Cannot write to standard output: ${error.message}.`
    reportError(new ConnectorError('cli/file', message, { hint: 'Free some space, or send the output elsewhere.' }))
    process.exit(1)
  })
  // Ignore a closed standard error.
  process.stderr.on('error', () => {})
}
