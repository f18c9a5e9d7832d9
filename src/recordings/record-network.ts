/** A network that keeps every request as it left, signed, with its whole response. What it keeps holds secrets. */
import type { HttpRequest } from '../engine/request/http-request.ts'
import type { HttpResponse } from '../engine/response/http-response.ts'
import type { Network } from '../engine/response/send.ts'
import { responseTooLarge } from '../engine/response/failure.ts'
import { ConnectorError } from '../std/errors.ts'
import type { ReadClock } from './clock.ts'

export type HeardExchange = {
  readonly request: HttpRequest
  response: HttpResponse | null
  failure: ConnectorError | null
  /** The time after it, where the clock has moved by itself. */
  clock: number | null
}

/** In the order in which requests were sent. */
export function recordingNetwork(network: Network, clock: ReadClock, heard: HeardExchange[]): Network {
  return {
    ...network,
    async send(request, signal) {
      const exchange: HeardExchange = { request, response: null, failure: null, clock: null }
      heard.push(exchange)
      try {
        const response = await whole(await network.send(request, signal), network.maxBodyBytes)
        exchange.response = response
        exchange.clock = clock.settle()
        return asRequested(request, response)
      } catch (error) {
        if (error instanceof ConnectorError) exchange.failure = error
        throw error
      }
    },
  }
}

/** A body that arrives in pieces is collected: a file must have all of it. */
async function whole(response: HttpResponse, maxBytes: number): Promise<HttpResponse> {
  const { stream, ...rest } = response
  if (stream === undefined) return response
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of stream.chunks) {
    length += piece.length
    if (length > maxBytes) {
      stream.discard()
      throw responseTooLarge(new URL(response.url).host, maxBytes)
    }
    pieces.push(piece)
  }
  return { ...rest, body: Buffer.concat(pieces) }
}

/** The engine gets a stream where it asked for one. */
export function asRequested(request: HttpRequest, response: HttpResponse): HttpResponse {
  const isGood = response.status >= 200 && response.status < 300
  if (!request.streams || !isGood) return response
  const { body } = response
  const chunks = (async function* () {
    if (body.length > 0) yield body
  })()
  return { ...response, body: new Uint8Array(), stream: { chunks, discard: () => {} } }
}
