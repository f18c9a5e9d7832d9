/** A number of places → who may run now, first come first served. */

/** Waits for a free place; the answer gives it back. Rejects as soon as the signal aborts. */
export type TakeSlot = (signal: AbortSignal) => Promise<() => void>

/**
 * At most `limit` at once, over all streams of a run.
 *
 * @example const free = await takeSlot(signal); try { … } finally { free() }
 */
export function openSlots(limit: number): TakeSlot {
  const waiting: (() => void)[] = []
  let taken = 0

  const release = () => {
    const next = waiting.shift()
    if (next === undefined) taken--
    else next()
  }
  /** Giving back twice would let one too many in. */
  const giveBackOnce = () => {
    let isFree = false
    return () => {
      if (!isFree) release()
      isFree = true
    }
  }

  return async (signal) => {
    signal.throwIfAborted()
    if (taken < limit) {
      taken++
      return giveBackOnce()
    }
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(enter), 1)
        reject(signal.reason as Error)
      }
      waiting.push(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
    return giveBackOnce()
  }
}
