/**
 * One request over a dispatcher → status, headers and the bytes of the body.
 *
 * Built on `dispatch` rather than `undici.request`: the body is needed whole, so no stream is made for it, and one
 * listener serves every way to stop. Measured on pages of 100 KB: 0.2 ms less per page, a third of what a page costs.
 */
import type { Dispatcher } from 'undici'
import type { HttpRequest } from '../request/http-request.ts'

export type Exchanged = {
  readonly status: number
  readonly headers: Record<string, string>
  readonly cookies: readonly string[]
  readonly bytes: Uint8Array
}

export type ExchangeTools = {
  /** Looks at the headers before the body is read; throws to refuse it. */
  readonly accept: (headers: Readonly<Record<string, string>>) => void
  /** Told once the headers are there. */
  readonly onHeaders: () => void
}

/** A request under way; `stop` ends it at once, connected or not, and makes `answer` reject with the reason. */
export type Exchange = { readonly answer: Promise<Exchanged>; readonly stop: (reason: Error) => void }

export function exchange(
  dispatcher: Dispatcher,
  target: URL,
  { method, headers, body }: HttpRequest,
  tools: ExchangeTools,
): Exchange {
  let controller: Dispatcher.DispatchController | undefined
  let stopped: Error | undefined
  let stop: Exchange['stop'] = () => {}

  const answer = new Promise<Exchanged>((resolve, reject) => {
    const parts: Uint8Array[] = []
    let status = 0
    let received: Record<string, string> = {}
    let cookies: readonly string[] = []

    stop = (reason) => {
      stopped = reason
      controller?.abort(reason)
      // Before the connection stands there is nothing to abort, but nobody needs to wait for it either.
      reject(reason)
    }

    dispatcher.dispatch(
      {
        origin: target.origin,
        path: target.pathname + target.search,
        method,
        headers,
        body,
      },
      {
        onRequestStart(started) {
          controller = started
          if (stopped !== undefined) started.abort(stopped)
        },
        onResponseStart(_controller, statusCode, rawHeaders) {
          status = statusCode
          received = joinedHeaders(rawHeaders)
          cookies = [rawHeaders['set-cookie'] ?? []].flat()
          tools.onHeaders()
          try {
            tools.accept(received)
          } catch (refusal) {
            stop(refusal as Error)
          }
        },
        onResponseData(_controller, chunk) {
          parts.push(chunk)
        },
        onResponseEnd() {
          resolve({
            status,
            headers: received,
            cookies,
            bytes: parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts),
          })
        },
        onResponseError(_controller, error) {
          reject(stopped ?? error)
        },
      },
    )
  })
  return { answer, stop }
}

function joinedHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return joined
}
