/** How many reads, or queries, may be under way at once: whoever comes when all turns are taken is told so, and waits for none. */
import { ConnectorError } from '../std/errors.ts'

export type Turns = {
  /** Throws `server/busy` when there is none. Ended with the scope: `using turn = turns.take()`. */
  take(): Disposable
}

/** @param what they are, for the message. */
export function openTurns(most: number, what = 'reads'): Turns {
  let taken = 0
  return {
    take() {
      if (taken >= most)
        throw new ConnectorError('server/busy', `${most} ${what} are under way, and no more at a time.`)
      taken++
      let isEnded = false
      return {
        [Symbol.dispose]() {
          if (!isEnded) taken--
          isEnded = true
        },
      }
    },
  }
}
