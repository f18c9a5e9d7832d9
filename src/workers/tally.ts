/** What a worker has done since it started, and how long the queue is, as Prometheus reads it. */
import type { SyncEnding, SyncEvent } from '../sync/events.ts'
import type { ShownError } from '../sync/receipt.ts'
import type { QueueCounts } from './queue.ts'

export type Tally = {
  count(event: SyncEvent): void
  ended(ending: SyncEnding | 'handed-back'): void
  /** A job or a part failed: counts those that the destination refused because another process had taken them over. */
  failed(error: ShownError): void
  /** In the text format of Prometheus. */
  print(now: { readonly syncs: number; readonly parts: number; readonly queue: QueueCounts | null }): string
}

export function createTally(): Tally {
  const endings = new Map<string, number>()
  let records = 0
  let pages = 0
  let bytes = 0
  let retries = 0
  let held = 0
  let takenOver = 0
  return {
    count(event) {
      if (event.kind === 'page') {
        pages++
        records += event.records
        bytes += event.bytes
      }
      if (event.kind === 'notice' && event.notice.kind === 'retry') retries++
      if (event.kind === 'stream-ended' && event.receipt.ending === 'held') held++
    },
    ended(ending) {
      endings.set(ending, (endings.get(ending) ?? 0) + 1)
    },
    failed({ code }) {
      if (code === 'destinations/taken-over') takenOver++
    },
    print({ syncs, parts, queue }) {
      const ended = [...endings].map(([ending, count]) => [`{ending="${ending}"}`, count] as const)
      return [
        metric(
          'turnleaf_worker_jobs_running',
          'gauge',
          'Jobs that this worker runs.',
          ['{kind="sync"}', syncs],
          ['{kind="part"}', parts],
        ),
        metric('turnleaf_worker_jobs_total', 'counter', 'Jobs that ended on this worker.', ...ended),
        metric('turnleaf_worker_records_total', 'counter', 'Records read.', records),
        metric('turnleaf_worker_pages_total', 'counter', 'Pages read.', pages),
        metric('turnleaf_worker_bytes_total', 'counter', 'Bytes of responses read.', bytes),
        metric('turnleaf_worker_retries_total', 'counter', 'Requests that were sent again.', retries),
        metric('turnleaf_worker_held_total', 'counter', 'Reads that were held instead of published.', held),
        metric(
          'turnleaf_worker_taken_over_total',
          'counter',
          'Jobs and parts whose writes were refused: another worker had taken them over.',
          takenOver,
        ),
        ...(queue === null
          ? []
          : [
              metric('turnleaf_queue_waiting', 'gauge', 'Syncs that wait, of all workers.', queue.waiting),
              metric('turnleaf_queue_running', 'gauge', 'Syncs that run, on all workers.', queue.running),
              metric(
                'turnleaf_queue_lag_seconds',
                'gauge',
                'How long the oldest waiting sync waits.',
                queue.lagSeconds,
              ),
            ]),
      ].join('')
    },
  }
}

type Sample = number | readonly [labels: string, value: number]

function metric(name: string, type: 'gauge' | 'counter', help: string, ...samples: readonly Sample[]): string {
  const lines = samples.map((one) => (typeof one === 'number' ? `${name} ${one}` : `${name}${one[0]} ${one[1]}`))
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}
