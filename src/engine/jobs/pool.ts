/** The jobs of one run: how many may run at once, and whether any is left. */
import { openSlots, type TakeSlot } from '../response/budget/slots.ts'

export type JobPool = {
  readonly limit: number
  readonly takeSlot: TakeSlot
  /** Called when the job of a slice begins; returns what to call when it has ended and is cleaned up on the server. */
  readonly begin: () => () => void
  /** Waits for all that began. To be awaited before the network is closed: cancelled jobs are still to be aborted. */
  readonly ended: () => Promise<void>
}

export function openJobPool(limit: number): JobPool {
  const open = new Set<Promise<void>>()
  return {
    limit,
    takeSlot: openSlots(limit),
    begin: () => {
      let settle: () => void = () => {}
      const life = new Promise<void>((resolve) => {
        settle = resolve
      })
      open.add(life)
      return () => {
        open.delete(life)
        settle()
      }
    },
    ended: async () => {
      while (open.size > 0) await Promise.all(open)
    },
  }
}
