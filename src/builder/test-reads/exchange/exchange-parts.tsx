/** A request and its response as tabs: two, or one where both fit side by side. */
import { type ReactNode, useMemo } from 'react'
import type { ReadPage } from '../../../server/wire/test-read.ts'
import type { Auxiliary, ReadState } from '../read-state.ts'
import { ResponseView } from './response-view.tsx'
import type { ShownRequest } from '../../../server/wire/exchange.ts'
import { CopyButton } from '../copy-button.tsx'
import { useSecretNames } from '../inputs/use-needed-inputs.ts'
import { BodyView } from '../body/body-view.tsx'
import { wholeText } from '../body/text-source.ts'
import { curlCommand } from './curl.ts'
import { countChanges, compareRequests } from './request-changes.ts'
import { ValueTable } from './value-table.tsx'
import type { Details } from '../open-tab.ts'

export type DetailsPart = { readonly id: Details; readonly title: string; readonly content: ReactNode }
import './exchange.css'

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
        <p className="quiet-words">No response came.</p>
      ) : (
        <ResponseView response={response} captured={null} />
      ),
  }
}

function RequestView({ request, before }: { request: ShownRequest; before: ShownRequest | null }) {
  const compared = useMemo(() => compareRequests(before, request), [before, request])
  const curl = curlCommand(request, useSecretNames())
  const { method, address, query, headers, bodyValues, body } = compared
  const bodySource = useMemo(() => (body === null || body === '' ? null : wholeText(body)), [body])
  return (
    <section className="exchange" aria-label="Request as sent">
      <header>
        <p className="address mono">
          <b>{method}</b> {address.value}
          {address.change.kind === 'changed' && <span className="change"> changed, was {address.change.was}</span>}
        </p>
        <div className="curl">
          <CopyButton label="Copy as cURL" text={() => curl.text} />
          {curl.variables.length > 0 && <small>with ${curl.variables.join(', $')}</small>}
        </div>
      </header>
      <ValueTable title="Query" values={query} changes={countChanges(query)} />
      <ValueTable title="Headers" values={headers} changes={countChanges(headers)} />
      {countChanges(bodyValues) > 0 && (
        <ValueTable
          title="Changed in the body"
          values={bodyValues.filter(({ change }) => change.kind !== 'same')}
          changes={0}
        />
      )}
      {bodySource !== null && <BodyView title="Body" name="request" source={bodySource} text={body} />}
    </section>
  )
}
