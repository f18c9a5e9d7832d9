/** What the server says that templates may use at a place: functions, filters, and the names of a captured page. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TemplateContext, TemplateContextRequest } from '../../server/wire/evaluation.ts'
import { ask } from '../api/ask.ts'
import type { PagePlace } from '../test-reads/reading.ts'

export type ContextPage = PagePlace & { readonly read: string }

/** Undefined until the server responds; without a response, completion works without its names. */
export function useTemplateContext(
  place: TemplateContextRequest['place'],
  page: ContextPage | null,
): TemplateContext | undefined {
  const body = { place, ...(page !== null && { page }) } satisfies TemplateContextRequest
  const { data } = useQuery({
    queryKey: ['template-context', body],
    queryFn: ({ signal }) => ask<TemplateContext>('POST', '/v1/template-contexts', { body, signal }),
    placeholderData: keepPreviousData,
    // A captured page never changes.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return data
}
