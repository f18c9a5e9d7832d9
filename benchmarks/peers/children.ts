/** Every process that a run starts, so that Ctrl-C ends all of them. */
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'

const running = new Set<ChildProcess>()

export function start([command = '', ...args]: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, options)
  running.add(child)
  child.once('close', () => running.delete(child))
  // Without a listener, a program that does not exist would end this process; `close` follows in any case.
  child.once('error', () => running.delete(child))
  return child
}

/** Ends it, by its id, and waits until it is gone. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

export async function endAll(): Promise<void> {
  await Promise.all([...running].map(end))
}

/** 130 and 143, as a shell reports an interrupted program. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const

export function endAllWhenInterrupted(): void {
  for (const [signal, code] of Object.entries(exitCodes)) {
    process.once(signal, () => {
      void endAll().then(() => process.exit(code))
    })
  }
}
