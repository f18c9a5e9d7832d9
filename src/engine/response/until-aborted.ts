/** Waits for custom code, which may never finish; a reader that cancels does not wait for ever. */
import { setMaxListeners } from 'node:events'
import { aborted } from './failure.ts'

/** How long cancelled work may clean up: the requests that it waits for are cancelled, too. */
const patienceMs = 1000

/**
 * What the work gives; once the signal is aborted, an error instead if the work does not end soon. Its own end is ignored then.
 *
 * @example await untilAborted(awaitCustom(plan, () => loader.jsonSchema(context)), signal)
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const leaveSoon = () => {
      timer = setTimeout(() => reject(aborted(signal)), patienceMs)
    }
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', leaveSoon)
    }
    work.then(resolve, reject).finally(settle)
    if (signal.aborted) leaveSoon()
    else signal.addEventListener('abort', leaveSoon, { once: true })
  })
}

/** The same for values that come one by one. */
export async function* eachUntilAborted<T>(values: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = values[Symbol.asyncIterator]()
  // While a value is under way the values have ended, failed, or are no longer wanted: then there is nothing to end.
  let isUnderWay = true
  try {
    for (;;) {
      isUnderWay = true
      const next = await untilAborted(iterator.next(), signal)
      if (next.done === true) return
      isUnderWay = false
      yield next.value
    }
  } finally {
    if (!isUnderWay) await untilAborted(Promise.resolve(iterator.return?.()), signal)
  }
}

/** Beyond ten listeners Node warns of a leak: not where each is removed when its work is done. */
export function expectListeners(signal: AbortSignal): void {
  setMaxListeners(0, signal)
}

/** As long as this may pass until a timer or Ctrl-C is noticed. */
const longestStretchMs = 50

/**
 * To be awaited between values of custom code: a generator that never waits would keep timers, requests and Ctrl-C from their turn.
 *
 * @example const pause = openPauses(signal); for (const value of values) { await pause(); … }
 */
export function openPauses(signal: AbortSignal | undefined): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < longestStretchMs) return undefined
    return new Promise<void>((resolve, reject) => {
      setImmediate(() => {
        since = performance.now()
        if (signal?.aborted) reject(aborted(signal))
        else resolve()
      })
    })
  }
}
