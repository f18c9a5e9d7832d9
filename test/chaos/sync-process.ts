/** A program that syncs once, and says on stdout what it is doing; made to be killed. */
import { writeSync } from 'node:fs'
import { ConnectorError } from 'turnleaf'
import { runTask, type Task } from './task.ts'

try {
  // Written before anything else happens: what the pipe holds when the process dies says where it was.
  const { ending } = await runTask(JSON.parse(process.argv[2] ?? '') as Task, (phase) => writeSync(1, `${phase}\n`))
  process.exitCode = ending === 'complete' ? 0 : 1
} catch (error) {
  if (!(error instanceof ConnectorError)) throw error
  const { code, message, hint } = error
  console.error(JSON.stringify({ code, message, hint }))
  process.exitCode = 1
}
