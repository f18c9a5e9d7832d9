/** A body kept by the server: loaded in parts, and whole where it is small enough for a tree. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ShownResponse } from '../../../server/wire/exchange.ts'
import type { BodyPart } from '../../../server/wire/test-read.ts'
import { ask } from '../../api/ask.ts'
import type { PagePlace } from '../reading.ts'
import { type TextSource, wholeText, wholeTextOf } from './text-source.ts'

type Captured = PagePlace & { readonly read: string }

/** A tree of more takes long to open. */
const mostForTree = 3_000_000

export function useCapturedBody(captured: Captured, { body }: ShownResponse) {
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

function askPart({ read, slice, page }: Captured, from: number, count: number): Promise<BodyPart> {
  const at = `/v1/test-reads/${encodeURIComponent(read)}/slices/${slice}/pages/${page}/body`
  return ask<BodyPart>('GET', `${at}?from=${from}&count=${count}`)
}
