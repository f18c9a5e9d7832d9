/** A response of type text/event-stream → the texts of its events. `EventSource` cannot send a token. */
import { noteSilence } from './reach.ts'

export async function* readEvents(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (reader === undefined) return
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        if (!(cause instanceof DOMException && cause.name === 'AbortError')) noteSilence()
        throw cause
      })
      if (done) return
      const events = (rest + value).replaceAll('\r\n', '\n').split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) {
        const text = textOf(event)
        if (text !== '') yield text
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
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
