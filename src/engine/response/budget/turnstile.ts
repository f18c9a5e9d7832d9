/** Send → Send with a bound on how many requests are under way at once, first come first served. */
import type { Send } from '../http-response.ts'
import { openSlots } from './slots.ts'

/**
 * A place is held only while one request is under way, so whoever waits for another stream's answer holds none:
 * parents and children, logins and pages can share one turnstile without ever blocking each other.
 */
export function withTurnstile(send: Send, width: number): Send {
  const takeSlot = openSlots(width)
  return async (request, signal) => {
    const free = await takeSlot(signal)
    try {
      return await send(request, signal)
    } finally {
      free()
    }
  }
}
