/** Ctrl-C and SIGTERM → an AbortSignal; the second one ends the process at once. */

const codes = { SIGINT: 130, SIGTERM: 143 } as const

export type Interrupt = {
  readonly signal: AbortSignal
  /** The exit code it calls for; null while nobody interrupted. */
  readonly exitCode: () => number | null
}

export function listenForInterrupt(): Interrupt {
  const cancel = new AbortController()
  let exitCode: number | null = null
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (exitCode !== null) process.exit(codes[name])
      exitCode = codes[name]
      cancel.abort(new Error(`${name} was received`))
    })
  }
  return { signal: cancel.signal, exitCode: () => exitCode }
}

/** Waits for it: what a server does until somebody ends it. */
export function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
