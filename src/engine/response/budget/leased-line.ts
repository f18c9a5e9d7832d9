/** Requests that need calls of a shared budget → one after the other, as many at a time as it lends. */
import type { EndedCalls, Lease } from '../../plan/shared-budget.ts'
import { aborted } from '../failure.ts'
import type { SteadyClock } from './steady-clock.ts'
import { openWaitingLine } from './waiting-line.ts'

type LineRules = {
  readonly lease: (wanted: number, ended: readonly EndedCalls[]) => Promise<Lease>
  readonly clock: SteadyClock
}

/** Timers count up to 24 days; after an hour it is asked again. */
const longestSleepMs = 3_600_000

const reportAfterMs = 50

export type LeasedLine = {
  wait(weight: number, signal: AbortSignal, onWait: (waitMs: number) => void): Promise<void>
  /** A request was responded to, or failed. */
  end(weight: number): void
}

/** Asks once for all that wait: while one answer is under way the next question grows. */
export function createLeasedLine({ lease, clock }: LineRules): LeasedLine {
  let isServing = false
  let isReporting = false
  let pause = new AbortController()
  const { requests: line, join } = openWaitingLine({
    onJoin: () => {
      if (!isServing) void serve()
    },
    // A timer for no one would keep the process.
    onLeave: () => {
      if (line.length === 0) pause.abort()
    },
  })

  let ended: { readonly at: number; readonly calls: number }[] = []

  const ask = async (wanted: number) => {
    const [now, reported] = [clock.now(), ended]
    ended = []
    const agos = reported.map(({ at, calls }) => ({ agoMs: now - at, calls }))
    return await lease(wanted, agos)
  }
  const serve = async () => {
    isServing = true
    let calls = 0
    while (line.length > 0) {
      const wanted = line.reduce((sum, { weight }) => sum + weight, 0)
      try {
        const lent = await ask(wanted - calls)
        calls += lent.calls
        for (let first = line[0]; first !== undefined && first.weight <= calls; first = line[0]) {
          line.shift()
          calls -= first.weight
          first.go()
        }
        if (line.length > 0 && lent.waitMs > 0) await rest(Math.min(lent.waitMs, longestSleepMs))
      } catch (error) {
        for (const one of line.splice(0)) one.fail(error)
      }
    }
    // Lent, and wanted by no one any more.
    if (calls > 0) ended.push({ at: clock.now(), calls })
    isServing = false
  }
  /** A request that follows reports it; else the others would wait for calls that are over. */
  const report = async () => {
    isReporting = true
    try {
      await clock.sleep(reportAfterMs, new AbortController().signal)
      if (!isServing && ended.length > 0) await ask(0)
    } catch {
      // The others find out when this process ends.
    }
    isReporting = false
  }
  const rest = async (waitMs: number) => {
    line[0]?.onWait(waitMs)
    pause = new AbortController()
    const { signal } = pause
    await clock.sleep(waitMs, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }

  return {
    end(calls) {
      ended.push({ at: clock.now(), calls })
      if (!isServing && !isReporting) void report()
    },
    async wait(weight, signal, onWait) {
      if (signal.aborted) throw aborted(signal)
      await join(weight, signal, onWait)
    },
  }
}
