/** Requests that need calls of a shared budget → one after the other, as many at a time as it lends. */
import type { Lease } from '../../plan/shared-budget.ts'
import { aborted } from '../failure.ts'
import type { SteadyClock } from './steady-clock.ts'

type LineRules = {
  readonly lease: (wanted: number) => Promise<Lease>
  readonly clock: SteadyClock
}

type Waiting = {
  readonly weight: number
  readonly onWait: (waitMs: number) => void
  readonly go: () => void
  readonly fail: (error: unknown) => void
}

/** Timers count up to 24 days; after an hour it is asked again. */
const longestSleepMs = 3_600_000

export type LeasedLine = {
  wait(weight: number, signal: AbortSignal, onWait: (waitMs: number) => void): Promise<void>
}

/** Asks once for all that wait: while one answer is under way the next question grows. */
export function createLeasedLine({ lease, clock }: LineRules): LeasedLine {
  const line: Waiting[] = []
  let isServing = false
  let pause = new AbortController()

  const serve = async () => {
    isServing = true
    let calls = 0
    while (line.length > 0) {
      const wanted = line.reduce((sum, { weight }) => sum + weight, 0)
      try {
        const lent = await lease(wanted - calls)
        calls += lent.calls
        if (lent.waitMs > 0) await rest(Math.min(lent.waitMs, longestSleepMs))
      } catch (error) {
        for (const one of line.splice(0)) one.fail(error)
        break
      }
      for (let first = line[0]; first !== undefined && first.weight <= calls; first = line[0]) {
        line.shift()
        calls -= first.weight
        first.go()
      }
    }
    // Calls that are left belong to this moment; a later request asks for its own.
    isServing = false
  }
  const rest = async (waitMs: number) => {
    line[0]?.onWait(waitMs)
    pause = new AbortController()
    const { signal } = pause
    await clock.sleep(waitMs, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }
  const leave = (who: Waiting, error: unknown) => {
    const position = line.indexOf(who)
    if (position === -1) return
    line.splice(position, 1)
    who.fail(error)
    // A timer for no one would keep the process.
    if (line.length === 0) pause.abort()
  }

  return {
    async wait(weight, signal, onWait) {
      if (signal.aborted) throw aborted(signal)
      let cancel = () => {}
      try {
        await new Promise<void>((go, fail) => {
          const who: Waiting = { weight, onWait, go, fail }
          cancel = () => leave(who, aborted(signal))
          signal.addEventListener('abort', cancel, { once: true })
          line.push(who)
          if (!isServing) void serve()
        })
      } finally {
        signal.removeEventListener('abort', cancel)
      }
    },
  }
}
