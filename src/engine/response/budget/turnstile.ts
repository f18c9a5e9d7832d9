/** Send → Send with a bound on how many requests are under way at once, first come first served. */
import { aborted } from '../failure.ts'
import type { Send } from '../http-response.ts'

/**
 * A place is held only while one request is under way, so whoever waits for another stream's answer holds none:
 * parents and children, logins and pages can share one turnstile without ever blocking each other.
 */
export function withTurnstile(send: Send, width: number): Send {
  const waiting = new Set<() => void>()
  let free = width

  const enter = (signal: AbortSignal): Promise<void> | undefined => {
    if (free > 0) {
      free--
      return undefined
    }
    return new Promise((resolve, reject) => {
      const admit = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        waiting.delete(admit)
        reject(aborted(signal))
      }
      if (signal.aborted) return giveUp()
      waiting.add(admit)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }
  const leave = () => {
    const [next] = waiting
    if (next === undefined) {
      free++
      return
    }
    waiting.delete(next)
    next()
  }

  return async (request, signal) => {
    await enter(signal)
    try {
      return await send(request, signal)
    } finally {
      leave()
    }
  }
}
