/** Timers of Node count up to 24.8 days; a longer one fires at once. */
export const longestTimerMs = 2 ** 31 - 1

/** Waits, unless the signal aborts first, or has before. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let leftMs = ms
  for (; leftMs > longestTimerMs; leftMs -= longestTimerMs) await sleepOnce(longestTimerMs, signal)
  await sleepOnce(leftMs, signal)
}

function sleepOnce(ms: number, signal: AbortSignal): Promise<void> {
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
