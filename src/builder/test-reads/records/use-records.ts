/** The records of a page: the first arrive with it, the rest load as they scroll into view. */
import { useQueries } from '@tanstack/react-query'
import type { ReadPage, RecordsPart } from '../../../server/wire/test-read.ts'
import { ask } from '../../api/ask.ts'
import { partCount, partsBetween } from './record-parts.ts'

export type RecordRow = Readonly<Record<string, unknown>>

/** @param first and `last`: rows on screen. Undefined is what has not come yet. */
export function useRecords(read: string | null, page: ReadPage, first: number, last: number) {
  const { slice, page: number, records, emitted } = page
  const at = `/v1/test-reads/${encodeURIComponent(read ?? '')}/slices/${slice}/pages/${number}/records`
  const parts = partsBetween(Math.max(first, records.length), Math.min(last, emitted - 1))
  const answers = useQueries({
    queries: parts.map((part) => ({
      queryKey: ['records', read, slice, number, part],
      queryFn: () => recordsFrom(at, part * partCount),
      enabled: read !== null,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
      retry: false,
    })),
  })
  return {
    recordAt: (index: number): RecordRow | undefined => {
      if (index < records.length) return records[index]
      const part = Math.floor(index / partCount)
      return answers[parts.indexOf(part)]?.data?.[index - part * partCount]
    },
    trouble: answers.find(({ error }) => error !== null)?.error?.message ?? null,
  }
}

/** The server sends fewer where they are large. */
async function recordsFrom(at: string, first: number): Promise<RecordRow[]> {
  const records: RecordRow[] = []
  while (records.length < partCount) {
    const from = first + records.length
    const part = await ask<RecordsPart>('GET', `${at}?from=${from}&count=${partCount - records.length}`)
    records.push(...part.records)
    if (part.records.length === 0 || from + part.records.length >= part.total) break
  }
  return records
}
