/** Sends the requests of one page: one, or one for each group of properties. */
import type { PageAction } from '../plan/error-handler.ts'
import type { HttpRequest } from '../request/http-request.ts'
import type { PageToken } from '../request/page-token.ts'
import type { Slice } from '../slices/slice.ts'
import type { PageExchange } from './page.ts'
import type { OpenStream } from './stream.ts'
import { stringifyJson } from '../../std/json.ts'
import type { HttpResponse } from '../response/http-response.ts'
import { untilAborted } from '../response/until-aborted.ts'

export type PageExchanges = readonly [PageExchange, ...PageExchange[]]

type PageRequest = {
  readonly token: PageToken | null
  /** The first page of the slice, which a parent may hold already. */
  readonly isFirst: boolean
  /** The body may be read as it arrives, since nothing needs the whole page. */
  readonly mayStream: boolean
  /** Its size, where it is smaller than the manifest says. */
  readonly size: number | null
  /** What a response may ask for. */
  readonly mayAsk: readonly PageAction[]
  /** The pages before it are still to be read, and may show that it is not wanted: one try, and only an accepted response is returned. */
  readonly isAhead: boolean
}

/** Sends the requests of one page of a slice; `until` cancels them alone. */
export type RequestPage = (
  token: PageToken | null,
  options?: Partial<Pick<PageRequest, 'isFirst' | 'isAhead'>> & { readonly until?: AbortSignal },
) => Promise<PageExchanges>

/** The responses that make one page: one, or one for each group of properties in their order. */
export async function requestPage(
  stream: OpenStream,
  slice: Slice,
  request: PageRequest,
  signal: AbortSignal,
): Promise<PageExchanges> {
  if (stream.properties === null) return [await exchangeFor(stream, slice, request, signal)]
  const [first, ...others] = await stream.properties.chunks(signal)
  const grouped = { ...request, mayStream: request.mayStream && others.length === 0 }
  const exchanges: [PageExchange, ...PageExchange[]] = [await exchangeFor(stream, slice, grouped, signal, first)]
  // One after the other: an API that limits the size of a request usually limits the rate, too.
  for (const properties of others) {
    if (exchanges.at(-1)?.response.asks) break
    exchanges.push(await exchangeFor(stream, slice, grouped, signal, properties))
  }
  return exchanges
}

async function exchangeFor(
  stream: OpenStream,
  slice: Slice,
  { token, size, isFirst, mayStream, mayAsk, isAhead }: PageRequest,
  signal: AbortSignal,
  properties?: readonly string[],
): Promise<PageExchange> {
  const building = stream.build(stream.requestInput(slice, token, properties, size))
  const built = await (stream.plan.requester.custom === undefined ? building : untilAborted(building, signal))
  const request: HttpRequest =
    mayStream || mayAsk.length > 0 || isAhead
      ? {
          ...built,
          ...(mayStream && { streams: true }),
          ...(mayAsk.length > 0 && { mayAsk }),
          ...(isAhead && { isAhead }),
        }
      : built
  const askedAt = stream.now()
  const isHeld = isFirst && slice.firstPage !== undefined
  const response = isHeld ? heldResponse(request, slice.firstPage) : await stream.send(request, signal)
  return { token, request, response, askedAt, tookMs: stream.now() - askedAt }
}

/** Airbyte: `lazy_read_pointer`. The request is the one that was saved. */
function heldResponse(request: HttpRequest, held: unknown): HttpResponse {
  const body = new TextEncoder().encode(stringifyJson(held))
  return { status: 200, url: request.url, headers: {}, body }
}
