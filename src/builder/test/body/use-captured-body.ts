/** A body that the server keeps: asked for in parts, and whole where it is small enough for a tree. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ShownResponse } from '../../../server/wire/exchange.ts'
import type { BodyPart } from '../../../server/wire/test-read.ts'
import { ask } from '../../api/ask.ts'
import { queries } from '../../api/queries.ts'
import type { PagePlace } from '../reading.ts'
import { partLength, type TextSource, wholeText, wholeTextOf } from './text-window.ts'

type Captured = PagePlace & { readonly read: string }

/** A tree of more takes long to open. */
const mostForTree = 3_000_000

export function useCapturedBody(captured: Captured, { body }: ShownResponse) {
  const { read, slice, page } = captured
  const first = useQuery(partQuery(captured, 0))
  const total = first.data?.total ?? null
  const source = useMemo<TextSource>(
    () => (total === null ? wholeText(body) : { total, part: (number) => loadPart({ read, slice, page }, number) }),
    [read, slice, page, total, body],
  )
  const whole = useQuery({
    queryKey: ['whole-body', keyOf(captured)],
    queryFn: () => wholeTextOf(source),
    enabled: total !== null && total <= mostForTree,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  return { source, text: whole.data ?? null, trouble: first.error?.message ?? null }
}

async function loadPart(captured: Captured, number: number): Promise<string> {
  return (await queries.fetchQuery(partQuery(captured, number))).text
}

function partQuery(captured: Captured, number: number) {
  const { read, slice, page } = captured
  const at = `/v1/test-reads/${encodeURIComponent(read)}/slices/${slice}/pages/${page}/body`
  return {
    queryKey: ['body', keyOf(captured), number],
    queryFn: () => ask<BodyPart>('GET', `${at}?from=${number * partLength}&count=${partLength}`),
    // A captured page never changes; what was scrolled past is let go.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    retry: false,
  }
}

const keyOf = ({ read, slice, page }: Captured) => `${read}/${slice}/${page}`
