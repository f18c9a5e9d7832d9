/** Events → server-sent events, with a heartbeat. */
import { stringifyJson } from '../std/json.ts'

export const eventsType = 'text/event-stream'

/** The server closes connections that are idle for half a minute. */
const usualHeartbeatMs = 10_000

/** A client with more unread events is disconnected, and has to read the list again. */
const mostWaiting = 1000

/** Resolves to a function that stops it, once no event is missed. */
export type Listen = (send: (event: unknown) => void) => Promise<() => void>

/**
 * @param signal aborts when the client disconnects, also before there is a response.
 */
export async function eventStream(
  listen: Listen,
  signal: AbortSignal,
  heartbeatMs = usualHeartbeatMs,
): Promise<Response> {
  const pipe = openPipe()
  const unlisten = await listen((event) => pipe.write(`data: ${stringifyJson(event)}\n\n`))
  const heartbeat = setInterval(() => pipe.write(':\n\n'), heartbeatMs)
  pipe.onEnd(() => {
    clearInterval(heartbeat)
    unlisten()
  })
  if (signal.aborted) pipe.end()
  else signal.addEventListener('abort', pipe.end, { once: true })
  // A restarted server is back within a second.
  pipe.write('retry: 1000\n\n')
  return new Response(pipe.body, {
    // Keeps proxies from buffering the events.
    headers: { 'Content-Type': eventsType, 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
  })
}

/** Text in, bytes out; ended by either side, or when too much is unread. */
function openPipe() {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null
  let tidy = () => {}
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => void (controller = given),
      cancel() {
        controller = null
        tidy()
      },
    },
    { highWaterMark: mostWaiting },
  )

  function end(): void {
    controller?.close()
    controller = null
    tidy()
  }

  return {
    body,
    end,
    onEnd: (given: () => void) => void (tidy = given),
    write(text: string): void {
      if (controller === null) return
      if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(text))
      else end()
    },
  }
}
