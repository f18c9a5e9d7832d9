/** Arguments → command; error → exit code. */
import { endProcess } from './interrupt.ts'
import { exitCodeFor, reportError } from './report.ts'
import { runCommand } from './program.ts'
import { endQuietlyWhenUnread, flushed } from './output.ts'

endQuietlyWhenUnread()
let exitCode: number
try {
  exitCode = await runCommand(process.argv.slice(2))
} catch (error) {
  reportError(error)
  exitCode = exitCodeFor(error)
}
// A plain exit would cut off what a slow reader has not taken yet; whoever interrupts does not wait for one.
await flushed(exitCode > 128 ? 2000 : undefined)
endProcess(exitCode)
