/** What syncs made, and how to ask for it. */
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

/** `"orders"`, and with its schema where that is not the usual one. */
export function tableName({ schema, name }: Pick<LandedTable, 'schema' | 'name'>): string {
  return (schema === 'main' ? [name] : [schema, name]).map(quoted).join('.')
}

export function firstRowsOf(table: Pick<LandedTable, 'schema' | 'name'>): string {
  return `select * from ${tableName(table)} limit 100`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
