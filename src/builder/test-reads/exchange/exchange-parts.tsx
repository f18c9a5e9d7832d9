/** A request and its response as tabs: two, or one where both fit side by side. */
import type { ReactNode } from 'react'
import type { ReadPage } from '../../../server/wire/test-read.ts'
import type { DetailsPart } from '../page-details.tsx'
import type { Auxiliary, ReadState } from '../read-state.ts'
import { RequestView } from './request-view.tsx'
import { ResponseView } from './response-view.tsx'

type Exchange = { readonly request: ReactNode; readonly response: ReactNode }

export function exchangeParts(exchange: Exchange | null, isWide: boolean): readonly DetailsPart[] {
  if (exchange === null) return []
  const { request, response } = exchange
  if (!isWide) {
    return [
      { id: 'request', title: 'Request', content: request },
      { id: 'response', title: 'Response', content: response },
    ]
  }
  const both = (
    <div className="request-and-response">
      {request}
      {response}
    </div>
  )
  return [{ id: 'request', title: 'Request and response', content: both }]
}

export function pageExchange(read: ReadState, page: ReadPage | null): Exchange | null {
  if (page === null) return null
  const before = read.pages.find(({ slice, page: number }) => slice === page.slice && number === page.page - 1)
  const captured = read.id === null ? null : { read: read.id, slice: page.slice, page: page.page }
  return {
    request: <RequestView request={page.request} before={before?.request ?? null} />,
    response: <ResponseView key={`${page.slice} ${page.page}`} response={page.response} captured={captured} />,
  }
}

export function auxiliaryExchange({ request, response }: Auxiliary): Exchange {
  return {
    request: <RequestView request={request} before={null} />,
    response:
      response === null ? (
        <p className="quiet-words">No answer came.</p>
      ) : (
        <ResponseView response={response} captured={null} />
      ),
  }
}
