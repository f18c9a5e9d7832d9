/** The runs of a connector, however they were started; looked for again while the page is shown. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ConnectorRun, ConnectorRuns } from '../../../server/wire/run.ts'
import { ask } from '../../api/ask.ts'
import { findSync } from '../sync-store.ts'

const quietMs = 5000
/** While something may be running elsewhere. */
const busyMs = 1500

const isOpen = ({ status }: ConnectorRun) => status === 'running' || status === 'unfinished'

/** Undefined until the server has answered. */
export function useRuns(connector: string): ConnectorRuns | undefined {
  const { data } = useQuery({
    queryKey: ['runs', connector],
    queryFn: () => ask<ConnectorRuns>('GET', `/v1/connectors/${connector}/runs?limit=50`),
    refetchInterval: ({ state }) => (state.data?.runs.some(isOpen) === true ? busyMs : quietMs),
  })
  const running = data?.runs.find(({ status }) => status === 'running')?.sync
  useEffect(() => {
    // Started in another tab, or by a schedule: it is followed like one of this tab.
    if (running != null) findSync(connector).catch(() => {})
  }, [connector, running])
  return data
}

/** Whether an unfinished run has committed more since it was first seen: then it is certainly running. */
export function useGrowing(run: ConnectorRun): boolean {
  const [first] = useState(() => committedOf(run))
  return committedOf(run) > first
}

function committedOf({ progress, streams }: ConnectorRun): number {
  return [...progress, ...streams].reduce((sum, { pages }) => sum + pages, 0)
}
