/** The process of a command: its arguments, its pipes, its exit code. */
import { endProcess } from './interrupt.ts'
import { endWhenPipeCloses, flushed } from './output.ts'
import { run } from './run.ts'

endWhenPipeCloses()
const exitCode = await run(process.argv.slice(2))
// A plain exit would lose output that a slow reader has not read yet. After an interrupt the wait is short.
await flushed(exitCode > 128 ? 2000 : undefined)
endProcess(exitCode)
