/** The time of a recorded read, and of its replay: the same at every moment that the engine can see. */

export type ReadClock = {
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Called after each response. Returns the time where it has changed by itself, null otherwise. */
  readonly settle: () => number | null
}

/** Small enough for tokens and signatures, and large enough that most recordings name one time only. */
const stepMs = 60_000

/**
 * Does not move between responses, and moves by each wait; where the real time is a minute ahead, it catches up after a
 * response. So a replay that waits for nothing can show the engine the same times.
 */
export function recordingClock(real: { now: () => number; sleep: ReadClock['sleep'] }): ReadClock {
  let shown = real.now()
  return {
    now: () => shown,
    async sleep(ms, signal) {
      await real.sleep(ms, signal)
      shown += ms
    },
    settle() {
      const now = real.now()
      if (now - shown < stepMs) return null
      shown = now
      return shown
    },
  }
}

export type ReplayClock = Pick<ReadClock, 'now' | 'sleep'> & { readonly set: (time: number) => void }

export function replayClock(start: number): ReplayClock {
  let shown = start
  return {
    now: () => shown,
    async sleep(ms) {
      shown += ms
    },
    set(time) {
      shown = time
    },
  }
}
