/** A number of slots → which request may start now, first come first served. */
import { aborted } from '../failure.ts'
import type { Send } from '../http-response.ts'

/** Waits for a free place; the response gives it back. Rejects as soon as the signal aborts. */
export type TakeSlot = (signal: AbortSignal) => Promise<() => void>

/** @example const free = await takeSlot(signal); try { … } finally { free() } */
export function openSlots(limit: number): TakeSlot {
  const waiting = new Set<() => void>()
  let free = limit

  const release = () => {
    const [next] = waiting
    if (next === undefined) free++
    else {
      waiting.delete(next)
      next()
    }
  }
  /** Giving back twice would let one too many in. */
  const giveBackOnce = () => {
    let isGiven = false
    return () => {
      if (!isGiven) release()
      isGiven = true
    }
  }

  return async (signal) => {
    if (signal.aborted) throw aborted(signal)
    if (free > 0) {
      free--
      return giveBackOnce()
    }
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.delete(enter)
        reject(aborted(signal))
      }
      waiting.add(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
    return giveBackOnce()
  }
}

/**
 * A slot is held only while one request is under way, so a stream that waits for another stream's response holds none:
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
