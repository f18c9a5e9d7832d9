/** What was collected → slices, pages and requests in the words of the manifest server, without secrets. */
import type { Page, PageResponse } from '../../engine/pages/page.ts'
import type { Redactor } from '../../engine/secrets/redact.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { stringifyJson } from '../../std/json.ts'
import { stateMessage } from '../../protocol/messages.ts'
import type { Exchange } from '../../engine/response/observe.ts'
import type { AuxiliaryRequest, WirePage, WireResponse, WireSlice } from '../wire/manifest-server.ts'
import { auxiliaryOf, wireExchange, wireRequestOf } from './auxiliary.ts'
import type { Collected, ReadPage, ReadSlice } from './collect.ts'

export type ShownRead = { readonly slices: WireSlice[]; readonly auxiliary_requests: AuxiliaryRequest[] }

/** To be called at the end: by then the redactor has learned every secret that was met. */
export function showRead(stream: string, { slices, auxiliary }: Collected, redactor: Redactor): ShownRead {
  const shownSlice = ({ slice, pages, jobs, state }: ReadSlice): WireSlice => ({
    pages: pages.flatMap((page) => showPages(page, redactor)),
    slice_descriptor: redactor.value(descriptorOf(slice)) as WireSlice['slice_descriptor'],
    state: state === null ? [] : [stateMessage(stream, state.state, state.records).state],
    auxiliary_requests: besides(jobs, redactor),
  })
  return { slices: slices.map(shownSlice), auxiliary_requests: besides(auxiliary, redactor) }
}

function besides(exchanges: readonly Exchange[], redactor: Redactor): AuxiliaryRequest[] {
  return exchanges.flatMap((exchange) =>
    exchange.purpose === undefined ? [] : [auxiliaryOf(exchange, exchange.purpose, redactor)],
  )
}

/** Airbyte: the slice of a stream that is not cut into slices is told as the text of an empty object. */
function descriptorOf({ partition, window }: Slice): WireSlice['slice_descriptor'] {
  const descriptor = { ...partition, ...window }
  return Object.keys(descriptor).length === 0 ? '{}' : descriptor
}

/** Airbyte: a page that asks for its properties in several groups is told as several, and the last has the records. */
function showPages({ page, exchanges, records }: ReadPage, redactor: Redactor): WirePage[] {
  const count = 1 + (page?.further?.length ?? 0)
  // Tries, hops and renewals before them led here; the last answers are those that count.
  const shown = exchanges.slice(-count).map((exchange) => wireExchange(exchange, redactor))
  const told = shown.length > 0 || page === null ? shown : [known(page), ...(page.further ?? []).map(known)]
  const shownRecords = redactor.value(records) as WirePage['records']
  return told.map((exchange, index) => ({ records: index === told.length - 1 ? shownRecords : [], ...exchange }))
}

/** A page whose answer was there already: another stream had asked for it, or the parent's record held it. */
function known({ request, response }: Pick<Page, 'request' | 'response'>): Pick<WirePage, 'request' | 'response'> {
  return { request: wireRequestOf(request), response: knownResponse(response) }
}

function knownResponse({ status, body, headers }: PageResponse): WireResponse {
  return { status, body: typeof body === 'string' ? body : stringifyJson(body), headers }
}
