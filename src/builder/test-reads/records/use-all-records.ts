/** The records of all pages of a test, or those that a search finds, loaded as they scroll into view. */
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import type { AllRecordsPart } from '../../../server/wire/test-read.ts'
import { ask } from '../../api/ask.ts'
import type { ReadState } from '../read-state.ts'
import { partCount, partsBetween } from './record-parts.ts'

export type PlacedRecord = AllRecordsPart['records'][number]

export function useAllRecords(
  { id, pages }: Pick<ReadState, 'id' | 'pages'>,
  search: string,
  first: number,
  last: number,
) {
  const from = (index: number, count: number) =>
    `/v1/test-reads/${encodeURIComponent(id ?? '')}/records?from=${index}&count=${count}&search=${encodeURIComponent(search)}`
  const settings = { enabled: id !== null, staleTime: Number.POSITIVE_INFINITY, gcTime: 60_000, retry: false }
  // Each page that comes makes the list longer.
  const { data: counts, error } = useQuery({
    ...settings,
    queryKey: ['all-records', id, pages.length, search, 'counts'],
    queryFn: () => ask<AllRecordsPart>('GET', from(0, 1)),
    placeholderData: keepPreviousData,
  })
  const found = counts?.found ?? 0
  const parts = partsBetween(first, Math.min(last, found - 1))
  const answers = useQueries({
    queries: parts.map((part) => ({
      ...settings,
      queryKey: ['all-records', id, pages.length, search, part],
      queryFn: () => wholePart(part * partCount, from),
    })),
  })
  return {
    counts: counts ?? null,
    recordAt: (index: number): PlacedRecord | undefined => {
      const part = Math.floor(index / partCount)
      return answers[parts.indexOf(part)]?.data?.[index - part * partCount]
    },
    trouble: (error ?? answers.find((answer) => answer.error !== null)?.error)?.message ?? null,
  }
}

/** The server sends fewer where they are large. */
async function wholePart(first: number, from: (index: number, count: number) => string): Promise<PlacedRecord[]> {
  const records: PlacedRecord[] = []
  while (records.length < partCount) {
    const at = first + records.length
    const part = await ask<AllRecordsPart>('GET', from(at, partCount - records.length))
    records.push(...part.records)
    if (part.records.length === 0 || at + part.records.length >= part.found) break
  }
  return records
}
