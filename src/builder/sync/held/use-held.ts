/** Rows that syncs of a connector read and did not publish; reloaded when a sync ends or some are published. */
import { useQuery } from '@tanstack/react-query'
import type { HeldStream, Published } from '../../../server/wire/sync.ts'
import { ask } from '../../api/ask.ts'
import { askAgain } from '../../api/queries.ts'

/** Undefined until the server has answered. */
export function useHeld(connector: string): readonly HeldStream[] | undefined {
  const { data } = useQuery({
    queryKey: ['held', connector],
    queryFn: () => ask<{ held: readonly HeldStream[] }>('GET', `/v1/connectors/${connector}/held`),
  })
  return data?.held
}

export async function publishHeld(connector: string, stream: string, destination: string): Promise<Published> {
  const done = await ask<Published>('POST', `/v1/connectors/${connector}/publish`, { body: { stream, destination } })
  await Promise.all([askAgain(['held', connector]), askAgain(['tables']), askAgain(['runs', connector])])
  return done
}
