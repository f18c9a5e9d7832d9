/** Arguments → command; error → exit code. */
import { endProcess } from './interrupt.ts'
import { exitCodeFor, reportError } from './report-error.ts'
import { runCommand } from './program.ts'
import { endWhenPipeCloses, flushed } from './output.ts'

endWhenPipeCloses()
let exitCode: number
try {
  exitCode = await runCommand(process.argv.slice(2))
} catch (error) {
  reportError(error)
  exitCode = exitCodeFor(error)
}
// A plain exit would lose output that a slow reader has not read yet. After an interrupt the wait is short.
await flushed(exitCode > 128 ? 2000 : undefined)
endProcess(exitCode)
