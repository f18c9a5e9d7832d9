/** Whether the server responds. When it stops, it is polled, and listeners are notified when it is back. */
import { openListeners } from '../listeners.ts'
import { createStore } from '../store.ts'
import { currentToken } from './token.ts'

/** `locked`: it answers, and wants a token that we do not have. */
export type ServerState = 'up' | 'down' | 'locked'

const firstWaitMs = 500
const longestWaitMs = 5000

const returns = openListeners()
const reach = createStore<ServerState>('up')

export const useServerState = reach.use

/** Runs whenever the server is back, or has got its token. */
export const onReturn = returns.subscribe

/** @param token the one of the request: a late refusal of an older one says nothing of the one that was given since */
export function noteResponse(status: number, token: string | null): void {
  if (status === 401) {
    if (token === currentToken()) change('locked')
  } else if (reach.get() === 'down') comeBack()
}

export function noteSilence(): void {
  if (reach.get() === 'down') return
  change('down')
  askUntilAnswered(firstWaitMs)
}

/** A token was given: what was refused is asked again. */
export function retryWithToken(): void {
  if (reach.get() === 'locked') comeBack()
}

/** At once, instead of at the next turn. */
export async function askNow(): Promise<void> {
  const isUp = await fetch('/health', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (isUp && reach.get() === 'down') comeBack()
}

function askUntilAnswered(waitMs: number): void {
  setTimeout(() => {
    if (reach.get() !== 'down') return
    const askAgain = () => askUntilAnswered(Math.min(waitMs * 2, longestWaitMs))
    void askNow().then(askAgain)
  }, waitMs)
}

function comeBack(): void {
  change('up')
  returns.notify()
}

function change(next: ServerState): void {
  if (next !== reach.get()) reach.set(next)
}
