/** The process of a command: its arguments, its pipes, its exit code. */
import { setFlagsFromString } from 'node:v8'
import { failWaitingClasses } from '../engine/custom/component.ts'
import { endProcess } from './interrupt.ts'
import { endWhenPipeCloses } from './closed-pipe.ts'
import { flushed } from './output.ts'
import { run } from './run.ts'

// Pages are garbage as soon as they are written: collecting it earlier keeps a long sync smaller, and costs nothing that can be measured.
setFlagsFromString('--heap-growing-percent=50')
endWhenPipeCloses()
process.on('beforeExit', () => {
  // Something to do, so that Node asks again: what follows may wait for the class, too.
  if (failWaitingClasses() > 0) setImmediate(() => {})
})
const exitCode = await run(process.argv.slice(2))
// A plain exit would lose output that a slow reader has not read yet. After an interrupt the wait is short.
await flushed(exitCode > 128 ? 2000 : undefined)
endProcess(exitCode)
