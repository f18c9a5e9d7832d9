/**
 * One request over a dispatcher → status, headers and the bytes of the body, whole or as they arrive.
 *
 * Built on `dispatch` rather than `undici.request`: most bodies are needed whole, so no stream is made for them, and one
 * listener serves every way to stop. Measured on pages of 100 KB: 0.2 ms less per page, a third of what a page costs.
 */
import type { Dispatcher } from 'undici'
import type { HttpRequest } from '../request/http-request.ts'

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

/** A request under way; `stop` ends it at once, connected or not, and makes `answer` reject with the reason. */
type StartedExchange = { readonly answer: Promise<Exchanged>; readonly stop: (reason: Error) => void }

export function exchange(
  dispatcher: Dispatcher,
  target: URL,
  { method, headers, body }: HttpRequest,
  tools: ExchangeTools,
): StartedExchange {
  let controller: Dispatcher.DispatchController | undefined
  let stopped: Error | undefined
  let stop: StartedExchange['stop'] = () => {}

  const answer = new Promise<Exchanged>((resolve, reject) => {
    const parts: Uint8Array[] = []
    let length = 0
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
            if (tools.accept(status, received) === 'whole') return
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
          parts.push(chunk)
          length += chunk.length
          orStop(() => tools.measure(length))
        },
        onResponseEnd() {
          if (inflow !== null) return inflow.end()
          answered(parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts))
        },
        onResponseError(_controller, error) {
          reject(stopped ?? error)
          inflow?.fail(stopped ?? error)
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

type Inflow = {
  /** What the socket side calls. */
  push(chunk: Uint8Array): void
  end(): void
  fail(reason: unknown): void
  readonly chunks: AsyncIterableIterator<Uint8Array>
}

type Valve = {
  readonly pause: () => void
  readonly resume: () => void
  /** The reader wants no more. */
  readonly cancel: () => void
}

/** Bytes that may wait for the reader before the sender is held back. */
const roomBytes = 1024 * 1024

function openInflow({ pause, resume, cancel }: Valve): Inflow {
  const waiting: Uint8Array[] = []
  let waitingBytes = 0
  let isPaused = false
  const ending: { isReached: boolean; failure: unknown } = { isReached: false, failure: null }
  let wake: () => void = () => {}

  const finish = (failure: unknown) => {
    if (!ending.isReached) Object.assign(ending, { isReached: true, failure })
    wake()
  }
  const take = (): Uint8Array | undefined => {
    const chunk = waiting.shift()
    waitingBytes -= chunk?.length ?? 0
    if (isPaused && waitingBytes < roomBytes / 2) {
      isPaused = false
      resume()
    }
    return chunk
  }

  return {
    push(chunk) {
      waiting.push(chunk)
      waitingBytes += chunk.length
      if (waitingBytes >= roomBytes && !isPaused) {
        isPaused = true
        pause()
      }
      wake()
    },
    end: () => finish(null),
    fail: (failure) => finish(failure),
    chunks: {
      async next() {
        while (waiting.length === 0 && !ending.isReached) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
        const value = take()
        if (value !== undefined) return { done: false, value }
        if (ending.failure !== null) throw ending.failure
        return { done: true, value: undefined }
      },
      async return() {
        waiting.length = 0
        const isOpen = !ending.isReached
        finish(null)
        if (isOpen) cancel()
        return { done: true, value: undefined }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    },
  }
}
