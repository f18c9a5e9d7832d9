/** Requests that have to wait → one after the other, in the order they came. */
import { aborted } from '../failure.ts'
import type { SteadyClock } from './steady-clock.ts'

type QueueRules = {
  /** How long a request of this weight still has to wait. */
  readonly waitMs: (weight: number) => number
  /** The request is sent: count it. */
  readonly take: (weight: number) => void
  readonly clock: SteadyClock
}

type RequestQueue = {
  /** `onWait` is called once, and only if the request has to wait. */
  wait(weight: number, signal: AbortSignal, onWait: (waitMs: number) => void): Promise<void>
  /** Computes the waits again: they may have become shorter. */
  recheck(): void
}

type Waiting = {
  readonly weight: number
  onWait: ((waitMs: number) => void) | null
  readonly go: () => void
  readonly fail: (error: unknown) => void
}

/** Timers count up to 24 days; longer waits are made of several. */
const longestSleepMs = 3_600_000

/**
 * One timer for all: it runs for the first in the queue, so no request is overtaken and no timer fires in vain.
 * It ends when the queue is empty.
 */
export function createRequestQueue({ waitMs, take, clock }: QueueRules): RequestQueue {
  const line: Waiting[] = []
  let isServing = false
  let pause = new AbortController()

  const serve = async () => {
    isServing = true
    for (let first = line[0]; first !== undefined; first = line[0]) {
      const ms = waitMs(first.weight)
      if (ms <= 0) {
        line.shift()
        take(first.weight)
        first.go()
        continue
      }
      first.onWait?.(ms)
      first.onWait = null
      pause = new AbortController()
      const { signal } = pause
      await clock.sleep(Math.min(ms, longestSleepMs), signal).catch((error: unknown) => {
        if (!signal.aborted) leave(first, error)
      })
    }
    isServing = false
  }
  const leave = (who: Waiting, error: unknown) => {
    const position = line.indexOf(who)
    if (position === -1) return
    line.splice(position, 1)
    who.fail(error)
    if (position === 0) pause.abort()
  }

  return {
    async wait(weight, signal, onWait) {
      if (signal.aborted) throw aborted(signal)
      if (line.length === 0 && waitMs(weight) <= 0) return take(weight)
      const { promise, resolve, reject } = promiseParts()
      const who: Waiting = { weight, onWait, go: resolve, fail: reject }
      const cancel = () => leave(who, aborted(signal))
      signal.addEventListener('abort', cancel, { once: true })
      line.push(who)
      if (!isServing) void serve()
      try {
        await promise
      } finally {
        signal.removeEventListener('abort', cancel)
      }
    },
    recheck: () => pause.abort(),
  }
}

/** `Promise.withResolvers`, which Node 20 does not have. */
function promiseParts() {
  let resolve: () => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<void>((go, fail) => {
    resolve = go
    reject = fail
  })
  return { promise, resolve, reject }
}
