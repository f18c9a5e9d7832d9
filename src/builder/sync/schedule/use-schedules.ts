/** The connections and schedules of a connector, and what can be done with them. */
import { useQuery } from '@tanstack/react-query'
import type { ConnectionRequest, SavedConnection } from '../../../server/wire/connection.ts'
import type { Runner, ScheduleRequest, WiredSchedule } from '../../../server/wire/schedule.ts'
import { ask } from '../../api/ask.ts'
import { askAgain } from '../../api/queries.ts'

export type KnownSchedules = {
  readonly connections: readonly SavedConnection[]
  readonly schedules: readonly WiredSchedule[]
  readonly runner: Runner
}

/** Undefined until the server has answered. */
export function useSchedules(connector: string): KnownSchedules | undefined {
  const { data } = useQuery({
    queryKey: ['schedules', connector],
    refetchInterval: 5000,
    async queryFn() {
      const [{ connections }, { schedules, runner }] = await Promise.all([
        ask<{ connections: readonly SavedConnection[] }>('GET', `/v1/connectors/${connector}/connections`),
        ask<{ schedules: readonly WiredSchedule[]; runner: Runner }>('GET', '/v1/schedules'),
      ])
      const own = schedules.filter(({ connection }) => connections.some(({ name }) => name === connection))
      return { connections, schedules: own, runner }
    },
  })
  return data
}

/** @param fresh the connection to create with it; null where there is one. */
export async function addSchedule(
  connector: string,
  connection: string,
  schedule: ScheduleRequest,
  fresh: ConnectionRequest | null,
): Promise<void> {
  if (fresh === null) await ask('PUT', `/v1/schedules/${connection}`, { body: schedule })
  else await ask('POST', `/v1/connectors/${connector}/connections`, { body: { ...fresh, schedule } })
  await askAgain(['schedules', connector])
}

export async function changeSchedule(
  connector: string,
  connection: string,
  change: 'pause' | 'resume' | 'run' | 'delete',
): Promise<void> {
  if (change === 'delete') await ask('DELETE', `/v1/schedules/${connection}`)
  else await ask('POST', `/v1/schedules/${connection}/${change}`)
  await Promise.all([askAgain(['schedules', connector]), askAgain(['runs', connector])])
}
