/** An exchange → how clients of the manifest server are told of it. */
import type { Purpose } from '../../engine/request/http-request.ts'
import type { Redactor } from '../../engine/secrets/redact.ts'
import type { Exchange } from '../../engine/response/observe.ts'
import { purposeWords, showExchange } from '../test-reads/show-exchange.ts'
import type { AuxiliaryRequest, WirePage, WireRequest, WireResponse } from '../wire/manifest-server.ts'

export function wireExchange(exchange: Exchange, redactor: Redactor): Pick<WirePage, 'request' | 'response'> {
  const { request, response } = showExchange(exchange, redactor)
  return {
    request: wireRequestOf(request),
    response: response === null ? null : { status: response.status, body: response.body, headers: response.headers },
  }
}

export function wireRequestOf({ method, ...rest }: Omit<WireRequest, 'http_method'> & { method: string }): WireRequest {
  const { url, headers, body } = rest
  return { url, headers, http_method: method, body }
}

/** Clients have no word for a request that was never answered; status 0 is what browsers say. */
const noAnswer: WireResponse = { status: 0, body: '', headers: {} }

export function auxiliaryOf(exchange: Exchange, purpose: Purpose, redactor: Redactor): AuxiliaryRequest {
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
