/** A clock for running timers; it stops when nothing runs. */
import { useSyncExternalStore } from 'react'

const tickMs = 100
let now = Date.now()

export function useNow(isTicking: boolean): number {
  return useSyncExternalStore(isTicking ? tick : rest, () => now)
}

function tick(notify: () => void): () => void {
  const update = () => {
    now = Date.now()
    notify()
  }
  const timer = setInterval(update, tickMs)
  update()
  return () => clearInterval(timer)
}

function rest(): () => void {
  return () => {}
}
