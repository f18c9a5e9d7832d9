/** Recorded exchanges → a network without sockets, which answers the requests that were recorded and refuses all others. */
import type { HttpRequest } from '../engine/request/http-request.ts'
import type { HttpResponse } from '../engine/response/http-response.ts'
import type { Network } from '../engine/response/send.ts'
import { ConnectorError, type ErrorCode, hints } from '../std/errors.ts'
import { bodyBytesOf } from './body.ts'
import type { ReplayClock } from './clock.ts'
import { asRequested } from './record-network.ts'
import { recordRequest } from './recorded-request.ts'
import type { RecordedExchange, RecordedRequest, RecordedResponse } from './recording.ts'
import { closestRequest, isSameRequest, type RequestDifference } from './same-request.ts'

/**
 * `exact`: only a request that is as recorded is answered. `nearest`: one that differs gets the response of the closest
 * recorded one. `in-order`: the first request gets the first response, and so on.
 */
export type Matching = 'exact' | 'nearest' | 'in-order'

export type AnsweredRequest = {
  readonly request: RecordedRequest
  /** Which exchange answered it; null where none did. */
  readonly answeredBy: number | null
}

export type Replay = {
  readonly network: Network
  readonly sent: readonly AnsweredRequest[]
  /** The request that no recorded one equals, and the closest of those. */
  readonly unexpected: () => RequestDifference | null
}

/** In order, no request is compared: then there need be none. */
export type ReplayedExchange = Omit<RecordedExchange, 'request'> & { readonly request: RecordedRequest | null }

export function replayNetwork(
  exchanges: readonly ReplayedExchange[],
  { clock, matching }: { readonly clock: ReplayClock; readonly matching: Matching },
): Replay {
  const recorded = exchanges.flatMap(({ request }, index) => (request === null ? [] : [{ index, request }]))
  const sent: AnsweredRequest[] = []
  const unused = new Set(exchanges.keys())
  let unexpected: RequestDifference | null = null

  const choose = (request: RecordedRequest): number | null => {
    const [first] = unused
    if (matching === 'in-order') return first ?? null
    const waiting = recorded.filter(({ index }) => unused.has(index))
    const same = waiting.find((one) => isSameRequest(one.request, request))
    if (same !== undefined) return same.index
    return matching === 'nearest' ? (closestRequest(waiting, request)?.index ?? null) : null
  }
  const refuse = (request: RecordedRequest): ConnectorError => {
    const waiting = recorded.filter(({ index }) => unused.has(index))
    const isAfterLast = waiting.length === 0
    const closest = closestRequest(isAfterLast ? recorded : waiting, request)
    unexpected ??= { position: sent.length - 1, request, closest, isAfterLast }
    return new ConnectorError('recordings/unexpected-request', 'A request was sent that the recording does not have.')
  }
  const network: Network = {
    maxBodyBytes: Number.MAX_SAFE_INTEGER,
    close: async () => {},
    async send(given) {
      const request = recordRequest(given)
      const index = choose(request)
      sent.push({ request, answeredBy: index })
      const exchange = index === null ? undefined : exchanges[index]
      if (index === null || exchange === undefined) throw refuse(request)
      unused.delete(index)
      if (exchange.clock !== undefined) clock.set(Date.parse(exchange.clock))
      if (exchange.response === null) throw failureOf(exchange)
      return asRequested(given, responseOf(exchange.response, given))
    },
  }
  return { network, sent, unexpected: () => unexpected }
}

function responseOf({ status, headers, cookies, body }: RecordedResponse, { url }: HttpRequest): HttpResponse {
  return { status, url, headers, ...(cookies !== undefined && { cookies }), body: bodyBytesOf(body) }
}

function failureOf({ failure }: Pick<RecordedExchange, 'failure'>): ConnectorError {
  const code = failure?.code ?? ''
  const isKnown = Object.hasOwn(hints, code)
  return new ConnectorError(isKnown ? (code as ErrorCode) : 'response/unreachable', failure?.message ?? 'No response.')
}
