/** A clock and a sleep → a time that never goes back, and that has passed when a sleep is over. */

type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

export type SteadyClock = {
  /** Milliseconds; of use only in comparison with itself. */
  readonly now: () => number
  readonly sleep: Sleep
}

/**
 * A clock set back in the middle of a run would make every wait longer by as much; here the waits stay as they were.
 * Nor can a timer that fires a little early make a request wait in a circle.
 */
export function steadyClock(tools: { now: () => number; sleep: Sleep }): SteadyClock {
  let aheadMs = 0
  let latest = Number.NEGATIVE_INFINITY

  const advanceTo = (moment: number) => {
    const reading = tools.now() + aheadMs
    latest = Math.max(reading, latest, moment)
    aheadMs += latest - reading
    return latest
  }
  return {
    now: () => advanceTo(Number.NEGATIVE_INFINITY),
    async sleep(ms, signal) {
      const until = advanceTo(Number.NEGATIVE_INFINITY) + ms
      await tools.sleep(ms, signal)
      advanceTo(until)
    },
  }
}
