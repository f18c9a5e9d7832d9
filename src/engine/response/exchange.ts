/**
 * One request over a dispatcher → status, headers and the bytes of the body, whole or as they arrive.
 *
 * Built on `dispatch` rather than `undici.request`: most bodies are needed whole, so no stream is made for them, and one
 * listener serves every way to stop. Measured on pages of 100 KB: 0.2 ms less per page, a third of what a page costs.
 */
import type { Dispatcher } from 'undici'
import type { HttpRequest } from '../request/http-request.ts'
import { gatherChunks } from './gather.ts'
import { type Inflow, openInflow } from './inflow.ts'

export type Exchanged = {
  readonly status: number
  readonly headers: Record<string, string>
  readonly cookies: readonly string[]
  /** Chunks where the body was accepted as a stream. */
  readonly body: Uint8Array | AsyncIterableIterator<Uint8Array>
}

type ExchangeTools = {
  /** Reads the status and the headers before the body: decides how the body is read. Throws to refuse it. */
  readonly accept: (status: number, headers: Readonly<Record<string, string>>) => 'whole' | 'stream'
  /** Called with the bytes that a whole body has so far; throws when they are too many. */
  readonly measure: (bytes: number) => void
}

/** A request under way; `stop` ends it at once, connected or not, and makes `response` reject with the reason. */
type StartedExchange = { readonly response: Promise<Exchanged>; readonly stop: (reason: Error) => void }

export function exchange(
  dispatcher: Dispatcher,
  target: URL,
  { method, headers, body, silenceMs }: HttpRequest,
  tools: ExchangeTools,
): StartedExchange {
  let controller: Dispatcher.DispatchController | undefined
  let stopped: Error | undefined
  let stop: StartedExchange['stop'] = () => {}

  const response = new Promise<Exchanged>((resolve, reject) => {
    let gathered = gatherChunks(null)
    let inflow: Inflow | null = null
    let status = 0
    let received: Record<string, string> = {}
    let cookies: readonly string[] = []
    const answered = (given: Exchanged['body']) => resolve({ status, headers: received, cookies, body: given })

    stop = (reason) => {
      stopped = reason
      controller?.abort(reason)
      // Before the connection is open there is nothing to abort, and no reason to wait for it.
      reject(reason)
      inflow?.fail(reason)
    }
    const orStop = (work: () => void) => {
      try {
        work()
      } catch (refusal) {
        stop(refusal as Error)
      }
    }

    dispatcher.dispatch(
      {
        origin: target.origin,
        path: target.pathname + target.search,
        method,
        headers,
        body,
        ...(silenceMs !== undefined && { headersTimeout: silenceMs, bodyTimeout: silenceMs }),
      },
      {
        onRequestStart(started) {
          controller = started
          if (stopped !== undefined) started.abort(stopped)
        },
        onResponseStart(started, statusCode, rawHeaders) {
          status = statusCode
          received = joinedHeaders(rawHeaders)
          cookies = [rawHeaders['set-cookie'] ?? []].flat()
          orStop(() => {
            if (tools.accept(status, received) === 'whole') {
              gathered = gatherChunks(Number(received['content-length']) || null)
              return
            }
            inflow = openInflow({
              pause: () => started.pause(),
              resume: () => started.resume(),
              cancel: () => stop(new Error('the reader wants no more')),
            })
            answered(inflow.chunks)
          })
        },
        onResponseData(_controller, chunk) {
          if (inflow !== null) return inflow.push(chunk)
          gathered.add(chunk)
          orStop(() => tools.measure(gathered.length()))
        },
        onResponseEnd() {
          if (inflow !== null) return inflow.end()
          answered(gathered.whole())
        },
        onResponseError(_controller, error) {
          reject(stopped ?? error)
          inflow?.fail(stopped ?? error)
        },
      },
    )
  })
  return { response, stop }
}

/**
 * undici writes a request to its connection in a later turn of the event loop. Without this wait it would leave only when the
 * sender's own work is done.
 */
export function requestLeaves(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
}

function joinedHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return joined
}
