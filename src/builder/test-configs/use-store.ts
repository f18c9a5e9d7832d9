/** The store of test configs: its state, and what it holds for the open connector. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SecretStoreStatus } from '../../server/wire/test-config.ts'
import { getStoreStatus, listKept } from '../api/test-configs.ts'
import { changeTabConfigs } from '../session/inputs.ts'
import { takeKept } from '../session/tab-configs.ts'

const statusKey = ['secret-store']

/** Undefined until the server said so first. */
export function useStoreStatus(): SecretStoreStatus | undefined {
  return useQuery({ queryKey: statusKey, queryFn: getStoreStatus }).data
}

/** Shows what an operation on the store answered. */
export function useStoreChanged(): (status?: SecretStoreStatus) => Promise<void> {
  const queries = useQueryClient()
  return async (answered) => {
    const status = answered ?? (await getStoreStatus())
    queries.setQueryData(statusKey, status)
    // A locked store would refuse to say.
    if (status.state === 'unlocked') await queries.invalidateQueries({ queryKey: ['kept-configs'] })
  }
}

/** Brings the kept test configs into the tab, whenever the store is unlocked; without a store there are none. */
export function useKeptConfigs(connector: string): void {
  const state = useStoreStatus()?.state
  const isUnlocked = state === 'unlocked'
  const { data } = useQuery({
    queryKey: ['kept-configs', connector],
    queryFn: () => listKept(connector),
    enabled: isUnlocked,
  })
  useEffect(() => {
    const kept = state === 'none' ? [] : isUnlocked ? data?.configs : undefined
    if (kept !== undefined) changeTabConfigs(connector, (all) => takeKept(all, kept))
  }, [connector, data, state, isUnlocked])
}
