/** How many reads, or queries, may run at once. Past the limit a request is refused; it does not queue. */
import { ConnectorError } from '../std/errors.ts'

export type ReadLimit = {
  /** Throws `server/busy` at the limit. Released with the scope: `using slot = limit.take()`. */
  take(): Disposable
}

/** @param what is limited, for the message. */
export function openReadLimit(most: number, what = 'reads'): ReadLimit {
  let taken = 0
  return {
    take() {
      if (taken >= most) throw new ConnectorError('server/busy', `${most} ${what} are running, which is the limit.`)
      taken++
      let isReleased = false
      return {
        [Symbol.dispose]() {
          if (!isReleased) taken--
          isReleased = true
        },
      }
    },
  }
}
