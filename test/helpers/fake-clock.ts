/** A clock that moves only when everybody who could do something is asleep. */
import { setImmediate as nextTurn } from 'node:timers/promises'

export type FakeClock = {
  now: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** How often something went to sleep. */
  sleeps: () => number
  /** Sets the time of day, without waking anybody. */
  set(time: number): void
  /** Lets time pass until this is settled. */
  until<T>(promise: Promise<T>): Promise<T>
}

type Sleeper = { leftMs: number; wake: () => void }

/** Sleepers count the time that passes, not the time of day, as timers do. */
export function fakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  const sleepers = new Set<Sleeper>()
  let time = start
  let count = 0

  const passOn = () => {
    const [next] = [...sleepers].toSorted((one, other) => one.leftMs - other.leftMs)
    if (next === undefined) throw new Error('nothing sleeps, and nothing happens')
    const passed = next.leftMs
    time += passed
    for (const sleeper of sleepers) sleeper.leftMs -= passed
    sleepers.delete(next)
    next.wake()
  }
  return {
    now: () => time,
    sleeps: () => count,
    set(to) {
      time = to
    },
    sleep(ms, signal) {
      count++
      return new Promise((resolve, reject) => {
        const sleeper: Sleeper = {
          leftMs: ms,
          wake() {
            signal.removeEventListener('abort', cancelled)
            resolve()
          },
        }
        const cancelled = () => {
          sleepers.delete(sleeper)
          reject(signal.reason as Error)
        }
        sleepers.add(sleeper)
        signal.addEventListener('abort', cancelled, { once: true })
      })
    },
    async until(promise) {
      const pending = Symbol('pending')
      const outcome = promise.then(
        () => null,
        () => null,
      )
      for (;;) {
        for (let turn = 0; turn < 3; turn++) await nextTurn()
        if ((await Promise.race([outcome, Promise.resolve(pending)])) !== pending) return promise
        passOn()
      }
    },
  }
}
