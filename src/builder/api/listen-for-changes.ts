/** Changes to connectors made elsewhere, as the server reports them. Only a visible page listens. */
import type { ConnectorEvent } from '../../server/wire/connector.ts'
import { openListeners } from '../listeners.ts'
import { splitBody, send } from './ask.ts'
import { onReturn } from './reach.ts'

/** Null: something may have been missed, so reload. */
export type AnnouncedChange = ConnectorEvent | null

const { subscribe, notify } = openListeners<[change: AnnouncedChange]>()

export const onChange = subscribe

/** A server that ends the stream by itself is not asked again at once. */
const restMs = 1000

/** Listens until the returned function is called. */
export function listenForChanges(): () => void {
  let hangUp: AbortController | null = null

  async function listen(): Promise<void> {
    hangUp?.abort()
    if (document.visibilityState === 'hidden') return
    const turn = new AbortController()
    hangUp = turn
    try {
      const response = await send('GET', '/v1/changes', { signal: turn.signal })
      notify(null)
      for await (const text of readEvents(response, turn.signal)) {
        const event = JSON.parse(text) as ConnectorEvent
        if (event.kind === 'connector') notify(event)
      }
    } catch {
      // No response, or a token is required: `onReturn` starts this again.
      return
    }
    setTimeout(() => void (turn.signal.aborted || listen()), restMs)
  }

  const begin = () => void listen()
  // Browsers allow six connections to a server, all tabs together: a hidden page gives its connection back.
  document.addEventListener('visibilitychange', begin)
  const forget = onReturn(begin)
  begin()
  return () => {
    document.removeEventListener('visibilitychange', begin)
    forget()
    hangUp?.abort()
  }
}

async function* readEvents(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  for await (const event of splitBody(response, '\n\n', signal)) {
    const text = textOf(event)
    if (text !== '') yield text
  }
}

/** Lines that begin with a colon keep the connection open, and say nothing. */
function textOf(event: string): string {
  return event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart())
    .join('\n')
}
