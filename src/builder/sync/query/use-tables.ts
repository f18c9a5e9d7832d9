/** The tables that syncs made; reloaded when one ends. */
import { useQuery } from '@tanstack/react-query'
import type { LandedTable } from '../../../server/wire/sync.ts'
import { ask } from '../../api/ask.ts'

export function useTables(): readonly LandedTable[] | undefined {
  const { data } = useQuery({
    queryKey: ['tables'],
    queryFn: () => ask<{ tables: readonly LandedTable[] }>('GET', '/v1/tables'),
  })
  return data?.tables
}
