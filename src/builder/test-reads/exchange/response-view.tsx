/** A response: status, headers, body; a large body comes in parts as one scrolls. */
import { useMemo } from 'react'
import type { ShownResponse } from '../../../server/wire/exchange.ts'
import { BodyView } from '../body/body-view.tsx'
import { type TextSource, wholeText, wholeTextOf } from '../body/text-source.ts'
import type { PagePlace } from '../read-store.ts'
import { size } from '../../durations.ts'
import { ValueTable } from './value-table.tsx'
import { useQuery } from '@tanstack/react-query'
import type { BodyExcerpt } from '../../../server/wire/test-read.ts'
import { ask } from '../../api/ask.ts'

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

type Captured = PagePlace & { readonly read: string }

/** A tree of more takes long to open. */
const mostForTree = 3_000_000

function useCapturedBody(captured: Captured, { body }: ShownResponse) {
  const { read, slice, page } = captured
  const key = `${read}/${slice}/${page}`
  const first = useQuery({
    queryKey: ['body', key],
    queryFn: () => askPart({ read, slice, page }, 0, 1),
    // A captured page never changes.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const total = first.data?.total ?? null
  const source = useMemo<TextSource>(() => {
    if (total === null) return { ...wholeText(body), isBeginning: true }
    return { total, read: async (from, count) => (await askPart({ read, slice, page }, from, count)).text }
  }, [read, slice, page, total, body])
  const whole = useQuery({
    queryKey: ['whole-body', key],
    queryFn: () => wholeTextOf(source),
    enabled: total !== null && total <= mostForTree,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  return { source, text: whole.data ?? null, trouble: first.error?.message ?? null }
}

function askPart({ read, slice, page }: Captured, from: number, count: number): Promise<BodyExcerpt> {
  const at = `/v1/test-reads/${encodeURIComponent(read)}/slices/${slice}/pages/${page}/body`
  return ask<BodyExcerpt>('GET', `${at}?from=${from}&count=${count}`)
}
