/** Waits, unless the signal aborts first, or has before. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', cancelled, { once: true })
    function done() {
      signal.removeEventListener('abort', cancelled)
      resolve()
    }
    function cancelled() {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
  })
}
