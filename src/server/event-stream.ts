/** Things that happen → server-sent events, with a sign of life where nothing does. */
import { stringifyJson } from '../std/json.ts'

export const eventsType = 'text/event-stream'

/** The listener ends connections on which nothing moves for half a minute. */
const usualHeartbeatMs = 10_000

/** Whoever does not read for so long has to connect again, and look at everything. */
const mostWaiting = 1000

/** Takes what to call with each event. Once it is fulfilled no event is missed; it gives back how to end it. */
export type Listen = (send: (event: unknown) => void) => Promise<() => void>

/**
 * @param signal ends when the client hangs up, be it before there is an answer.
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
  // A server that restarts is back within a second.
  pipe.write('retry: 1000\n\n')
  return new Response(pipe.body, {
    // A proxy that gathers lines would hide that anything happens.
    headers: { 'Content-Type': eventsType, 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
  })
}

/** Text in, bytes out; ended by either side, or by a reader who does not read. */
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
