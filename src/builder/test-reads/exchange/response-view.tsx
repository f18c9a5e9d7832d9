/** An answer: status, headers, body; a large body comes in parts as one scrolls. */
import { useMemo } from 'react'
import type { ShownResponse } from '../../../server/wire/exchange.ts'
import { BodyView } from '../body/body-view.tsx'
import { wholeText } from '../body/text-source.ts'
import { useCapturedBody } from '../body/use-captured-body.ts'
import type { PagePlace } from '../reading.ts'
import { size } from '../durations.ts'
import { ValueTable } from './value-table.tsx'

/** @param captured where the server keeps the whole body; null where it keeps none. */
export function ResponseView({
  response,
  captured,
}: {
  response: ShownResponse
  captured: (PagePlace & { readonly read: string }) | null
}) {
  const { status, headers, body, isCut, bytes } = response
  const values = Object.entries(headers).map(([name, value]) => ({ name, value, change: { kind: 'same' } as const }))
  const isElsewhere = isCut && captured !== null
  return (
    <section className="exchange" aria-label="Response">
      <header>
        <p className="address mono">
          <b data-bad={status >= 400 || undefined}>{status}</b> {size(bytes)}
        </p>
      </header>
      <ValueTable title="Headers" values={values} changes={0} />
      {isElsewhere ? <CapturedBody response={response} captured={captured} /> : <WholeBody body={body} isCut={isCut} />}
    </section>
  )
}

function WholeBody({ body, isCut }: { body: string; isCut: boolean }) {
  const source = useMemo(() => wholeText(body), [body])
  if (body === '') return <p className="quiet-words">The body is empty.</p>
  return (
    <>
      {isCut && <p className="quiet-words">Only the beginning was kept.</p>}
      <BodyView title="Body" name="response" source={source} text={isCut ? null : body} />
    </>
  )
}

function CapturedBody({
  response,
  captured,
}: {
  response: ShownResponse
  captured: PagePlace & { readonly read: string }
}) {
  const { source, text, trouble } = useCapturedBody(captured, response)
  return (
    <>
      {trouble !== null && (
        <p className="quiet-words" role="alert">
          {trouble}
        </p>
      )}
      <BodyView title="Body" name="response" source={source} text={text} whyNoTree="Too large for a tree" />
    </>
  )
}
