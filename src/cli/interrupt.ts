/** Ctrl-C and SIGTERM → an AbortSignal; a second one ends the process at once. */
import { say } from './terminal/print.ts'

type SignalName = 'SIGINT' | 'SIGTERM'

/** The exit codes that a shell shows for these signals. */
const codes: Readonly<Record<SignalName, number>> = { SIGINT: 130, SIGTERM: 143 }

export type Interrupt = {
  readonly signal: AbortSignal
  /** The exit code of the signal; null while there was none. */
  readonly exitCode: () => number | null
}

export function listenForInterrupt(): Interrupt {
  const cancel = new AbortController()
  let exitCode: number | null = null
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (exitCode !== null) return endBySignal(name)
      exitCode = codes[name]
      cancel.abort(new Error(`${name} was received`))
    })
  }
  return { signal: cancel.signal, exitCode: () => exitCode }
}

/**
 * Runs a command that a signal ends before its result: then it says what that means, and the exit code is that of the signal.
 *
 * @example orInterrupted('Interrupted: nothing was written.', async (signal) => { …; return 0 })
 */
export async function orInterrupted(says: string, work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const { signal, exitCode } = listenForInterrupt()
  try {
    return await work(signal)
  } catch (error) {
    const interruptedBy = exitCode()
    if (interruptedBy === null) throw error
    say(says)
    return interruptedBy
  }
}

/**
 * Ends the process, after clean-up and output. After a signal it is raised again without a listener: a parent process
 * then sees the signal rather than a failure, and a shell stops the loop that runs the command.
 */
export function endProcess(exitCode: number): void {
  const name = (Object.keys(codes) as SignalName[]).find((one) => codes[one] === exitCode)
  if (name === undefined) process.exit(exitCode)
  endBySignal(name)
}

/** The first process of a container cannot be ended by a signal: then it exits with the code. */
const patienceMs = 1000

function endBySignal(name: SignalName): void {
  process.removeAllListeners(name)
  process.kill(process.pid, name)
  setTimeout(() => process.exit(codes[name]), patienceMs)
}

/** Waits until the process is asked to stop. */
export function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Ctrl-C is the normal way to stop a server. SIGTERM ends it like any other command. */
export function serverExitCode({ exitCode }: Interrupt): number {
  return exitCode() === codes.SIGTERM ? codes.SIGTERM : 0
}
