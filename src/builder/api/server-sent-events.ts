/** A response of type text/event-stream → the data of its events. `EventSource` cannot send a token. */
import { partsOf } from './ask.ts'

export async function* readEvents(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  for await (const event of partsOf(response, '\n\n', signal)) {
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
