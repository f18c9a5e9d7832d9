/** A collected read → slices, pages and requests in the format of the manifest server, without secrets. */
import type { Page, PageResponse } from '../../engine/pages/page.ts'
import type { Redactor } from '../../engine/secrets/redact.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { stringifyJson } from '../../std/json.ts'
import { stateMessage } from '../../protocol/messages.ts'
import type { Exchange } from '../../engine/response/observe.ts'
import type { AuxiliaryRequest, WirePage, WireRequest, WireResponse, WireSlice } from '../wire/manifest-server.ts'
import type { Collected, CollectedPage, CollectedSlice } from './read-limited.ts'
import type { Purpose } from '../../engine/request/http-request.ts'
import { purposeWords, showExchange } from '../test-reads/show-exchange.ts'

type ShownRead = { readonly slices: WireSlice[]; readonly auxiliary_requests: AuxiliaryRequest[] }

/** Called at the end: by then the redactor knows every secret. */
export function showRead(stream: string, { slices, auxiliary }: Collected, redactor: Redactor): ShownRead {
  const shownSlice = ({ slice, pages, jobs, state }: CollectedSlice): WireSlice => ({
    pages: pages.flatMap((page) => showPages(page, redactor)),
    slice_descriptor: redactor.value(descriptorOf(slice)) as WireSlice['slice_descriptor'],
    state: state === null ? [] : [stateMessage(stream, state.state, state.records).state],
    auxiliary_requests: auxiliaryRequests(jobs, redactor),
  })
  return { slices: slices.map(shownSlice), auxiliary_requests: auxiliaryRequests(auxiliary, redactor) }
}

function auxiliaryRequests(exchanges: readonly Exchange[], redactor: Redactor): AuxiliaryRequest[] {
  return exchanges.flatMap((exchange) =>
    exchange.purpose === undefined ? [] : [auxiliaryOf(exchange, exchange.purpose, redactor)],
  )
}

/** Airbyte: the only slice of a stream is the string of an empty object. */
function descriptorOf({ partition, window }: Slice): WireSlice['slice_descriptor'] {
  const descriptor = { ...partition, ...window }
  return Object.keys(descriptor).length === 0 ? '{}' : descriptor
}

/** Airbyte: a page that requests its properties in several groups becomes several pages; the last has the records. */
function showPages({ page, exchanges, records }: CollectedPage, redactor: Redactor): WirePage[] {
  const count = 1 + (page?.further?.length ?? 0)
  // Skips retries, redirects and token renewals before the last responses.
  const shown = exchanges.slice(-count).map((exchange) => wireExchange(exchange, redactor))
  const exchanged = shown.length > 0 || page === null ? shown : [cached(page), ...(page.further ?? []).map(cached)]
  const shownRecords = redactor.value(records) as WirePage['records']
  return exchanged.map((exchange, index) => ({
    records: index === exchanged.length - 1 ? shownRecords : [],
    ...exchange,
  }))
}

/** A page without a request: another stream requested it, or the parent's record contains it. */
function cached({ request, response }: Pick<Page, 'request' | 'response'>): Pick<WirePage, 'request' | 'response'> {
  return { request: wireRequestOf(request), response: cachedResponse(response) }
}

function cachedResponse({ status, body, headers }: PageResponse): WireResponse {
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

/** For a request without a response; browsers use status 0 too. */
const noResponse: WireResponse = { status: 0, body: '', headers: {} }

function auxiliaryOf(exchange: Exchange, purpose: Purpose, redactor: Redactor): AuxiliaryRequest {
  const { request, response } = wireExchange(exchange, redactor)
  return {
    title: purposeWords(purpose),
    type: typeOf(purpose),
    description: descriptionOf(purpose),
    request: request as WireRequest,
    response: response ?? noResponse,
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
  create: 'Starts a job that prepares the data.',
  poll: 'Requests the status of the job.',
  list: 'Lists the results of the job.',
  abort: 'Cancels a job that is no longer needed.',
  delete: 'Deletes the results of the job.',
} as const

function descriptionOf(purpose: Purpose): string {
  switch (purpose.kind) {
    case 'parent':
      return `Each record of “${purpose.stream}” is a partition of the stream.`
    case 'token':
      return 'Gets the credential of the other requests.'
    case 'job':
      return jobWords[purpose.step]
    case 'lookup':
      return 'Requests the streams, fields or columns of the API.'
  }
}
