/** The events of one sync, for whoever asks and whenever: from the beginning, then as they come, in bounded space. */
import { sleep } from '../../std/sleep.ts'
import type { SyncEvent } from '../../sync/events.ts'
import type { SyncNews } from '../wire/sync.ts'

export type SyncLog = {
  readonly tell: (event: SyncEvent) => void
  readonly end: () => void
  /** Everything so far, then what comes, until the sync is over or the reader stops. */
  readonly follow: (signal: AbortSignal) => AsyncGenerator<SyncNews>
}

type Kept = { readonly number: number; readonly news: SyncNews }

/** Retries of a bad night would fill the memory; who wants them all reads the terminal. */
const mostNotices = 500
/** Of those that are not complete; the latest say as much as the others. */
const mostSlices = 500
/** Between two looks at what is new: pages come faster than people see. */
const restMs = 100
/** The listener ends connections on which nothing moves for half a minute. */
const silenceMs = 5000

export function openSyncLog(): SyncLog {
  /** By what they are about: how far a stream is replaces what was told of it before. */
  const kept = new Map<string, Kept>()
  const counts = new Map<string, { pages: number; records: number }>()
  let number = 0
  let notices = 0
  let slices = 0
  let isOver = false

  function keep(key: string, news: SyncNews): void {
    kept.delete(key)
    kept.set(key, { number: ++number, news })
  }

  function tell(event: SyncEvent): void {
    switch (event.kind) {
      case 'stream-started':
        counts.set(event.stream, { ...event.before })
        return keep(`${event.stream} began`, event)
      case 'page': {
        const so = counts.get(event.stream) ?? { pages: 0, records: 0 }
        const { stream, total } = event
        const far = { pages: so.pages + 1, records: so.records + event.records }
        counts.set(stream, far)
        return keep(`${stream} far`, { kind: 'progress', stream, ...far, total })
      }
      case 'committed':
        return keep(`${event.stream} safe`, event)
      case 'notice':
        return keep(`notice ${notices++ % mostNotices}`, event)
      case 'slice-ended':
        // Thousands that are complete say no more than their stream does.
        if (event.receipt.verdict === 'complete') return
        return keep(`slice ${slices++ % mostSlices}`, event)
      default:
        return keep(`${number}`, event)
    }
  }

  async function* follow(signal: AbortSignal): AsyncGenerator<SyncNews> {
    let seen = 0
    let silentSince = Date.now()
    while (!signal.aborted) {
      // Asked first: what is told after this look is seen by the next.
      const wasOver = isOver
      const fresh = [...kept.values()].filter((one) => one.number > seen)
      for (const one of fresh) yield one.news
      if (fresh.length === 0 && wasOver) return
      seen = fresh.at(-1)?.number ?? seen
      if (fresh.length > 0) silentSince = Date.now()
      else if (Date.now() - silentSince > silenceMs) {
        silentSince = Date.now()
        yield { kind: 'waiting' }
      }
      await sleep(restMs, signal).catch(() => {})
    }
  }

  return { tell, end: () => void (isOver = true), follow }
}
