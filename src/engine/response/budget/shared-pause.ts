/** A rate limit that one request met → a pause for every request to the same origin. Only keeps the times; nothing here waits. */
import { originOf } from '../../../std/text/is-url.ts'
import type { SharedBudget } from '../../plan/shared-budget.ts'

export type SharedPause = {
  /** A request has to wait this long. Returns how long it should wait, so that several such requests do not come back together. */
  begin(url: string, waitMs: number): number
  /** The same for a request that will not come back: the others wait, and no turn is taken. */
  extend(url: string, waitMs: number): void
  /** How long another request to this origin still has to wait; 0 when it may be sent. */
  waitMs(url: string): number
}

type Pause = { until: number; lastTurn: number; inLine: number }

/** Another endpoint may have a limit of its own: it is held up for a minute, the usual length of a rate window. */
const longestMs = 60_000

/**
 * The first ones try whether the API answers again, slowly enough that a refusal stops the others before they leave. After half a
 * second without one, the others follow quickly: the rate of the API, where it has one, is the budget's concern.
 */
const [firstOnes, firstGapMs, laterGapMs] = [10, 50, 5]

/** Two thousand requests; more of them come back together rather than ever later. */
const longestLineMs = 10_000

/** `now` must never go back: see steady-clock.ts. */
export function sharedPause(now: () => number): SharedPause {
  const pauses = new Map<string, Pause>()

  /** The next free turn, not before `earliest`. */
  const turn = (pause: Pause, earliest: number) => {
    const isFirst = pause.lastTurn < earliest
    pause.inLine = isFirst ? 1 : pause.inLine + 1
    const gapMs = pause.inLine <= firstOnes ? firstGapMs : laterGapMs
    pause.lastTurn = isFirst ? earliest : Math.min(pause.lastTurn + gapMs, earliest + longestLineMs)
    return pause.lastTurn
  }
  const pauseFrom = (began: number, url: string, waitMs: number): Pause => {
    const origin = originOf(url)
    const pause = pauses.get(origin) ?? {
      until: Number.NEGATIVE_INFINITY,
      lastTurn: Number.NEGATIVE_INFINITY,
      inLine: 0,
    }
    pauses.set(origin, pause)
    pause.until = Math.max(pause.until, began + Math.min(waitMs, longestMs))
    return pause
  }
  return {
    extend: (url, waitMs) => void pauseFrom(now(), url, waitMs),
    begin(url, waitMs) {
      const began = now()
      const pause = pauseFrom(began, url, waitMs)
      // What has to wait longer than the others waits alone.
      return waitMs > longestMs ? waitMs : turn(pause, began + waitMs) - began
    },
    waitMs(url) {
      if (pauses.size === 0) return 0
      const pause = pauses.get(originOf(url))
      const asked = now()
      return pause === undefined || pause.until <= asked ? 0 : turn(pause, pause.until) - asked
    },
  }
}

/** The same, also for the requests of other processes, and with their pauses. */
export function pauseEverywhere(own: SharedPause, shared: SharedBudget): SharedPause {
  const prefix = 'origin '
  shared.onPause((key, ms) => {
    if (key.startsWith(prefix)) own.extend(key.slice(prefix.length), ms)
  })
  // If the others cannot be told, they find out by themselves.
  const tell = (url: string, waitMs: number) =>
    void shared.pause(prefix + originOf(url), Math.min(waitMs, longestMs)).catch(() => {})
  return {
    ...own,
    begin(url, waitMs) {
      tell(url, waitMs)
      return own.begin(url, waitMs)
    },
    extend(url, waitMs) {
      tell(url, waitMs)
      own.extend(url, waitMs)
    },
  }
}
