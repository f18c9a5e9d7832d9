/** The response that was read last for a stream, as far as it is needed to see its shape. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { BodyExcerpt, ReadPage } from '../../../server/wire/test-read.ts'
import { ask } from '../../api/ask.ts'
import { useReading, useSelectedPage } from '../../test-reads/read-store.ts'
import { parseBeginning } from './parse-beginning.ts'
import { documentIn } from './response-format.ts'

/** Enough to see past the first records of a page; more would only show more of the same. */
const mostCharacters = 1_000_000

export type Captured = { readonly body: unknown; readonly isCut: boolean; readonly page: ReadPage }

/** Null before the stream was read. */
export function useCaptured(stream: string): Captured | null {
  const read = useReading()
  const selected = useSelectedPage()
  const page = read?.stream === stream ? selected : null
  const { data } = useQuery({
    queryKey: ['captured', read?.id, page?.slice, page?.page],
    queryFn: ({ signal }) =>
      ask<BodyExcerpt>(
        'GET',
        `/v1/test-reads/${read?.id}/slices/${page?.slice}/pages/${page?.page}/body?from=0&count=${mostCharacters}`,
        { signal },
      ),
    enabled: page?.response.isCut === true && read?.id !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const text = data?.text ?? page?.response.body
  const records = page?.records
  const body = useMemo(
    () => (text === undefined ? undefined : (parseBeginning(text) ?? documentIn(text, records ?? []) ?? undefined)),
    [text, records],
  )
  if (page === null || body === undefined) return null
  return { body, isCut: data === undefined ? page.response.isCut : data.text.length < data.total, page }
}
