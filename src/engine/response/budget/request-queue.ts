/** Whoever has to wait → one after the other, in the order they came. */
import { aborted } from '../failure.ts'
import type { SteadyClock } from './steady-clock.ts'

type QueueRules = {
  /** How long somebody with this weight still has to wait. */
  readonly waitMs: (weight: number) => number
  /** It is their turn: count them. */
  readonly take: (weight: number) => void
  readonly clock: SteadyClock
}

type RequestQueue = {
  /** `onWait` is told once, and only if there is something to wait for. */
  wait(weight: number, signal: AbortSignal, onWait: (waitMs: number) => void): Promise<void>
  /** Looks at the waits again: they may have become shorter. */
  lookAgain(): void
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
 * One timer for all who wait: only the first in line is waited for, so nobody is overtaken and nothing wakes in vain.
 * When nobody is left the timer is given up too.
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
    lookAgain: () => pause.abort(),
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
