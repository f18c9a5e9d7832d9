/** Requests that have to wait → one after the other, in the order they came. */
import { aborted } from '../failure.ts'
import type { SteadyClock } from './steady-clock.ts'
import { openWaitingLine, type Waiting } from './waiting-line.ts'

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

/** Timers count up to 24 days; longer waits are made of several. */
const longestSleepMs = 3_600_000

/**
 * One timer for all: it runs for the first in the queue, so no request is overtaken and no timer fires in vain.
 * It ends when the queue is empty.
 */
export function createRequestQueue({ waitMs, take, clock }: QueueRules): RequestQueue {
  let isServing = false
  let pause = new AbortController()
  /** The request that knows that it waits. */
  let told: Waiting | null = null
  const {
    requests: line,
    join,
    leave,
  } = openWaitingLine({
    onJoin: () => {
      if (!isServing) void serve()
    },
    onLeave: (position) => {
      if (position === 0) pause.abort()
    },
  })

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
      if (told !== first) first.onWait(ms)
      told = first
      pause = new AbortController()
      const { signal } = pause
      await clock.sleep(Math.min(ms, longestSleepMs), signal).catch((error: unknown) => {
        if (!signal.aborted) leave(first, error)
      })
    }
    isServing = false
  }

  return {
    async wait(weight, signal, onWait) {
      if (signal.aborted) throw aborted(signal)
      if (line.length === 0 && waitMs(weight) <= 0) return take(weight)
      await join(weight, signal, onWait)
    },
    recheck: () => pause.abort(),
  }
}
