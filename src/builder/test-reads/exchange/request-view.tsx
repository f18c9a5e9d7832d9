/** A request as sent, secrets hidden; what is not as on the page before is said in words. */
import { useMemo } from 'react'
import type { ShownRequest } from '../../../server/wire/exchange.ts'
import { CopyButton } from '../copy-button.tsx'
import { useSecretNames } from '../inputs/use-needed-inputs.ts'
import { BodyView } from '../body/body-view.tsx'
import { wholeText } from '../body/text-source.ts'
import { curlCommand } from './curl.ts'
import './exchange.css'
import { changesIn, compareRequests } from './request-changes.ts'
import { ValueTable } from './value-table.tsx'

export function RequestView({ request, before }: { request: ShownRequest; before: ShownRequest | null }) {
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
      <ValueTable title="Query" values={query} changes={changesIn(query)} />
      <ValueTable title="Headers" values={headers} changes={changesIn(headers)} />
      {changesIn(bodyValues) > 0 && (
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
