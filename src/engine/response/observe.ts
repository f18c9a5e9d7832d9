/** A network that records every request with its response, including those for tokens, parents and jobs. */
import type { HttpRequest, Purpose } from '../request/http-request.ts'
import type { Chunks } from './formats/unpack.ts'
import type { HttpResponse } from './http-response.ts'
import type { Network } from './send.ts'

/** One request as it left, signed, and its response. Holds secrets: only `showExchange` makes it fit to be seen. */
export type Exchange = {
  /** Undefined for a page of the stream itself. */
  readonly purpose: Purpose | undefined
  readonly request: HttpRequest
  /** Milliseconds since 1970. */
  readonly askedAt: number
  /** Until the response was there; of a streamed body, its beginning. */
  readonly tookMs: number
  /** Null when none came. */
  readonly response: ObservedResponse | null
  /** Why none came; null when one did. */
  readonly failure: unknown
}

export type ObservedResponse = Pick<HttpResponse, 'status' | 'url' | 'headers'> & {
  /** Decompressed. Its beginning where it was longer than what is kept; it grows while a streamed body flows. */
  readonly body: () => Uint8Array
  /** How long it was, so far. */
  readonly bytes: () => number
}

type Watching = {
  readonly now: () => number
  /** Called when the response has arrived or has failed; once for each try. */
  readonly onExchange: (exchange: Exchange) => void
  /** Called when a request is sent. */
  readonly onAsked?: (purpose: Purpose | undefined, request: HttpRequest) => void
  /** Of each body. */
  readonly maxBodyBytes?: number
}

const usualMaxBytes = 16 * 1024 * 1024

/** Closing it closes the network. What is watched is not changed, delayed or held back. */
export function observe(network: Network, watching: Watching): Network {
  const { now, onExchange, onAsked, maxBodyBytes = usualMaxBytes } = watching
  return {
    ...network,
    async send(request, signal) {
      const { purpose } = request
      const askedAt = now()
      onAsked?.(purpose, request)
      const notify = (response: ObservedResponse | null, failure: unknown = null) =>
        onExchange({ purpose, request, askedAt, tookMs: now() - askedAt, response, failure })
      try {
        const response = await network.send(request, signal)
        const { seen, response: observed } = watched(response, maxBodyBytes)
        notify(observed)
        return seen
      } catch (failure) {
        notify(null, failure)
        throw failure
      }
    },
  }
}

function watched(response: HttpResponse, maxBytes: number): { seen: HttpResponse; response: ObservedResponse } {
  const { status, url, headers, body, stream } = response
  if (stream === undefined) {
    // A view would keep the whole of a large body in memory.
    const kept = body.length > maxBytes ? body.slice(0, maxBytes) : body
    const { length } = body
    return { seen: response, response: { status, url, headers, body: () => kept, bytes: () => length } }
  }
  const flow = gathering(stream.chunks, maxBytes)
  const seen = { ...response, stream: { ...stream, chunks: flow.chunks } }
  return { seen, response: { status, url, headers, body: flow.body, bytes: flow.bytes } }
}

function gathering(chunks: AsyncIterable<Uint8Array>, maxBytes: number) {
  const parts: Uint8Array[] = []
  let kept = 0
  let bytes = 0
  return {
    chunks: passOn(),
    body: () => Buffer.concat(parts),
    bytes: () => bytes,
  }
  async function* passOn(): Chunks {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (kept < maxBytes) {
        const part = chunk.slice(0, maxBytes - kept)
        parts.push(part)
        kept += part.length
      }
      yield chunk
    }
  }
}
