/** How the latest run of each connector ended, and when. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LatestRun } from '../../server/wire/run.ts'
import { count } from '../../std/text/format-count.ts'
import { ask } from '../api/ask.ts'
import { ago, exactly } from '../relative-time.ts'
import '../sync/runs/outcome.css'
import { runEndTone, runEndWords } from '../sync/runs/run-words.ts'

/** By connector; empty until the server has answered. */
export function useLatestRuns(): ReadonlyMap<string, LatestRun> {
  const { data } = useQuery({
    queryKey: ['latest-runs'],
    queryFn: () => ask<{ runs: readonly LatestRun[] }>('GET', '/v1/runs/latest'),
    refetchInterval: 5000,
  })
  return useMemo(() => new Map(data?.runs.map((run) => [run.connector, run])), [data])
}

export function LastRun({ latest }: { readonly latest: LatestRun | undefined }) {
  if (latest === undefined) return <span className="last-run" />
  const { startedAt, records, to } = latest
  return (
    <span className="last-run" title={`${exactly(startedAt)}: ${count(records, 'record')} into ${to}`}>
      <span className="label">last run </span>
      <span className="outcome" data-tone={runEndTone(latest)}>
        {runEndWords(latest)}
      </span>{' '}
      <time dateTime={startedAt}>{ago(startedAt)}</time>
    </span>
  )
}
