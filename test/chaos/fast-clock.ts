/** A clock that runs fifty times as fast: a sync that commits every second then does so every 20 ms. */

export type ClockStart = {
  /** What the clock showed. */
  readonly time: number
  /** When it was set, by the real clock: processes that follow each other continue with the same time. */
  readonly setAt: number
}

const speed = 50

export function fastClock({ time, setAt }: ClockStart): () => number {
  return () => time + (Date.now() - setAt) * speed
}
