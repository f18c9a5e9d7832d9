/** Arguments → a command that has run, its error reported → its exit code. Several may follow each other in one process. */
import { runCommand } from './program.ts'
import { exitCodeFor, reportError } from './report-error.ts'

export async function run(args: readonly string[]): Promise<number> {
  try {
    return await runCommand(args)
  } catch (error) {
    reportError(error)
    return exitCodeFor(error)
  }
}
