/** Ctrl-C and SIGTERM → an AbortSignal; the second one ends the process at once. */

type SignalName = 'SIGINT' | 'SIGTERM'

/** What a shell shows of a process that the signal ended. */
const codes: Readonly<Record<SignalName, number>> = { SIGINT: 130, SIGTERM: 143 }

export type Interrupt = {
  readonly signal: AbortSignal
  /** The exit code it calls for; null while nothing interrupted. */
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
 * Ends the process, after clean-up and output. Where a signal asked for the end it is raised again, with nobody listening:
 * a parent then sees the signal rather than a failure, and a shell stops the loop that the command is in.
 */
export function endProcess(exitCode: number): void {
  const name = (Object.keys(codes) as SignalName[]).find((one) => codes[one] === exitCode)
  if (name === undefined) process.exit(exitCode)
  endBySignal(name)
}

/** As the first process of a container it cannot be ended that way: then the exit code says the same. */
const patienceMs = 1000

function endBySignal(name: SignalName): void {
  process.removeAllListeners(name)
  process.kill(process.pid, name)
  setTimeout(() => process.exit(codes[name]), patienceMs)
}

/** Waits for it: what a server does until it is told to end. */
export function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** A server runs until Ctrl-C: that is a good end. SIGTERM ends it like any other command. */
export function serverExitCode({ exitCode }: Interrupt): number {
  return exitCode() === codes.SIGTERM ? codes.SIGTERM : 0
}
