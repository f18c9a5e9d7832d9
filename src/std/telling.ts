/** Functions that a user passes in to be told something: nothing waits for them. */

/**
 * The handler, which may well be asynchronous: if it fails later, that is one warning of the process, not its end.
 *
 * @example const tell = telling('onEvent', options.onEvent)
 */
export function telling<T>(name: string, handler: ((told: T) => unknown) | undefined): (told: T) => void {
  if (handler === undefined) return () => {}
  let hasFailed = false
  const warnOnce = (error: unknown) => {
    if (!hasFailed) process.emitWarning(failureOf(name, error))
    hasFailed = true
  }
  return (told) => {
    const given = handler(told)
    if (given instanceof Promise) given.catch(warnOnce)
  }
}

function failureOf(name: string, error: unknown): string {
  return `\`${name}\` failed: ${error instanceof Error ? error.message : String(error)}`
}
