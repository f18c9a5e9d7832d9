/** What was collected → slices, pages and requests in the words of the manifest server, without secrets. */
import type { Page, PageResponse } from '../../engine/pages/page.ts'
import type { Redactor } from '../../engine/response/redact.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { stringifyJson } from '../../std/json.ts'
import { stateMessage } from '../../protocol/messages.ts'
import type { Exchange } from '../../engine/response/observe.ts'
import type { AuxiliaryRequest, WirePage, WireRequest, WireResponse, WireSlice } from '../wire/manifest-server.ts'
import type { Collected, ReadPage, ReadSlice } from './read-limited.ts'
import type { Purpose } from '../../engine/request/http-request.ts'
import { purposeWords, showExchange } from '../test-reads/show-exchange.ts'

type ShownRead = { readonly slices: WireSlice[]; readonly auxiliary_requests: AuxiliaryRequest[] }

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

function wireExchange(exchange: Exchange, redactor: Redactor): Pick<WirePage, 'request' | 'response'> {
  const { request, response } = showExchange(exchange, redactor)
  return {
    request: wireRequestOf(request),
    response: response === null ? null : { status: response.status, body: response.body, headers: response.headers },
  }
}

function wireRequestOf({ method, ...rest }: Omit<WireRequest, 'http_method'> & { method: string }): WireRequest {
  const { url, headers, body } = rest
  return { url, headers, http_method: method, body }
}

/** Clients have no word for a request that was never answered; status 0 is what browsers say. */
const noAnswer: WireResponse = { status: 0, body: '', headers: {} }

function auxiliaryOf(exchange: Exchange, purpose: Purpose, redactor: Redactor): AuxiliaryRequest {
  const { request, response } = wireExchange(exchange, redactor)
  return {
    title: purposeWords(purpose),
    type: typeOf(purpose),
    description: descriptionOf(purpose),
    request: request as WireRequest,
    response: response ?? noAnswer,
  }
}

const jobTypes = {
  create: 'ASYNC_CREATE',
  poll: 'ASYNC_POLL',
  list: 'ASYNC_POLL',
  abort: 'ASYNC_ABORT',
  delete: 'ASYNC_DELETE',
} as const

function typeOf(purpose: Purpose): AuxiliaryRequest['type'] {
  switch (purpose.kind) {
    case 'parent':
      return 'PARENT_STREAM'
    case 'token':
      return 'AUTH'
    case 'job':
      return jobTypes[purpose.step]
    case 'lookup':
      return 'HTTP'
  }
}

const jobWords = {
  create: 'Asks the API to prepare the data.',
  poll: 'Asks how far the job is.',
  list: 'Asks what the job has prepared.',
  abort: 'Ends a job that nobody waits for.',
  delete: 'Removes what the job has prepared.',
} as const

function descriptionOf(purpose: Purpose): string {
  switch (purpose.kind) {
    case 'parent':
      return `Each record of “${purpose.stream}” stands for a part of the stream.`
    case 'token':
      return 'Gets the credential that the other requests carry.'
    case 'job':
      return jobWords[purpose.step]
    case 'lookup':
      return 'Only the API knows which streams, fields or columns there are.'
  }
}
