/** The events of one sync, for any number of readers: from the start, then as they happen, in bounded space. */
import { sleep } from '../../std/sleep.ts'
import type { SyncEvent } from '../../sync/events.ts'
import type { SyncProgress } from '../wire/sync.ts'

/** `syncNews` on the wire. */
export type SyncNews = Exclude<SyncEvent, { kind: 'page' }> | SyncProgress | { readonly kind: 'waiting' }

export type SyncLog = {
  readonly add: (event: SyncEvent) => void
  readonly end: () => void
  /** Everything so far, then new events, until the sync or the reader ends. */
  readonly follow: (signal: AbortSignal) => AsyncGenerator<SyncNews>
}

type Kept = { readonly number: number; readonly news: SyncNews }

/** Retries could fill the memory: only the latest notices are kept. */
const mostNotices = 500
/** Slices that are not complete: only the latest are kept. */
const mostSlices = 500
/** Pages arrive faster than people can read. */
const pollMs = 100
/** The server closes connections that are idle for half a minute. */
const silenceMs = 5000

export function openSyncLog(): SyncLog {
  /** By subject: newer progress of a stream replaces the older. */
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

  function add(event: SyncEvent): void {
    switch (event.kind) {
      case 'stream-started':
        counts.set(event.stream, { ...event.before })
        return keep(`${event.stream} started`, event)
      case 'page': {
        const before = counts.get(event.stream) ?? { pages: 0, records: 0 }
        const { stream, total } = event
        const progress = { pages: before.pages + 1, records: before.records + event.records }
        counts.set(stream, progress)
        return keep(`${stream} progress`, { kind: 'progress', stream, ...progress, total })
      }
      case 'committed':
        return keep(`${event.stream} committed`, event)
      case 'notice':
        return keep(`notice ${notices++ % mostNotices}`, event)
      case 'slice-ended':
        // Complete slices add nothing to the receipt of their stream.
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
      // Read first: later events are seen in the next round.
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
      await sleep(pollMs, signal).catch(() => {})
    }
  }

  return { add, end: () => void (isOver = true), follow }
}
