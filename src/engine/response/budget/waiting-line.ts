/** Requests that have to wait, in the order they came. */
import { aborted } from '../failure.ts'

export type Waiting = {
  readonly weight: number
  readonly onWait: (waitMs: number) => void
  readonly go: () => void
  readonly fail: (error: unknown) => void
}

type LineRules = {
  /** A request has joined at the end. */
  readonly onJoin: () => void
  /** A request has left before its turn; `position` is where it was. */
  readonly onLeave: (position: number) => void
}

type WaitingLine = {
  /** Whatever serves the line takes requests out before it lets them go. */
  readonly requests: Waiting[]
  /** Waits for its turn; leaves as soon as the signal aborts. */
  readonly join: (weight: number, signal: AbortSignal, onWait: Waiting['onWait']) => Promise<void>
  readonly leave: (who: Waiting, error: unknown) => void
}

export function openWaitingLine({ onJoin, onLeave }: LineRules): WaitingLine {
  const requests: Waiting[] = []
  const leave = (who: Waiting, error: unknown) => {
    const position = requests.indexOf(who)
    if (position === -1) return
    requests.splice(position, 1)
    who.fail(error)
    onLeave(position)
  }
  return {
    requests,
    leave,
    async join(weight, signal, onWait) {
      let cancel = () => {}
      try {
        await new Promise<void>((go, fail) => {
          const who: Waiting = { weight, onWait, go, fail }
          cancel = () => leave(who, aborted(signal))
          signal.addEventListener('abort', cancel, { once: true })
          requests.push(who)
          onJoin()
        })
      } finally {
        signal.removeEventListener('abort', cancel)
      }
    },
  }
}
