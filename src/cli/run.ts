/** Arguments → a command that has run, its error reported → its exit code. Several may follow each other in one process. */
import { runCommand } from './program.ts'
import { withFailureReport } from './report-error.ts'

export function run(args: readonly string[]): Promise<number> {
  return withFailureReport(() => runCommand(args))
}
