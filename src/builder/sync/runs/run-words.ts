/** A run in words and figures. */
import type { ConnectorRun, LatestRun } from '../../../server/wire/run.ts'
import { verdictName, worstVerdict } from '../../../proof/verdict/verdict-name.ts'
import { roundDuration } from '../../durations.ts'

type Ended = Pick<LatestRun, 'status' | 'verdict'>

/** `complete`, `not verified`, `held`, `failed`: the verdict where it was read to its end, how it ended otherwise. */
export function runEndWords({ status, verdict }: Ended): string {
  switch (status) {
    case 'complete':
    case 'incomplete':
      return verdict === null ? status : verdictName(verdict)
    case 'unfinished':
      return 'unfinished'
    default:
      return status
  }
}

/** For the colour next to the words. */
export function runEndTone({ status, verdict }: Ended): 'good' | 'plain' | 'warning' | 'bad' {
  if (status === 'failed') return 'bad'
  if (status === 'held' || status === 'incomplete' || verdict === 'incomplete' || verdict === 'duplicated') {
    return 'warning'
  }
  return status === 'complete' && verdict === 'complete' ? 'good' : 'plain'
}

export function runEnd({ status, streams }: ConnectorRun): Ended {
  return { status, verdict: worstVerdict(streams) }
}

export function tookMs({ startedAt, endedAt }: Pick<ConnectorRun, 'startedAt' | 'endedAt'>): number | null {
  return endedAt === null ? null : Math.max(0, Date.parse(endedAt) - Date.parse(startedAt))
}

export function tookOf(run: ConnectorRun): string {
  const ms = tookMs(run)
  return ms === null ? '' : roundDuration(ms)
}

export function recordsOf({ streams, progress }: ConnectorRun): number {
  const open = progress.filter(({ stream }) => !streams.some((one) => one.stream === stream))
  return [...streams, ...open].reduce((sum, { records }) => sum + records, 0)
}

/** `duckdb:/home/me/shop.duckdb` → `duckdb:shop.duckdb`: the whole address is in the title. */
export function shortAddress(to: string): string {
  return to.replace(/^(duckdb|parquet|jsonl):.*\/(?=[^/]+$)/, '$1:')
}
