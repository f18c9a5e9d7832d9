/** Events of a sync → where each of its streams stands. */
import type { SyncEvent } from '../../sync/events.ts'
import type { StreamReceipt } from '../../sync/receipt.ts'
import { type Reading, startReading, takeNotice, takePage } from './stream-progress.ts'

export type StreamStanding = {
  readonly name: string
  /** Null before it starts. */
  reading: Reading | null
  /** Null before it ends. */
  receipt: StreamReceipt | null
}

export type SyncStreams = {
  follow(event: SyncEvent, now: number): void
  /** In the order in which they are synced. */
  all(): readonly StreamStanding[]
  underWay(): readonly Reading[]
}

export function followStreams(): SyncStreams {
  const streams = new Map<string, StreamStanding>()
  /** Parts of a page follow each other. */
  let lastPage = ''
  const standing = (name: string): StreamStanding => {
    const known = streams.get(name) ?? { name, reading: null, receipt: null }
    streams.set(name, known)
    return known
  }
  const readingOf = (name: string, now: number): Reading => {
    const stream = standing(name)
    return (stream.reading ??= startReading(name, now))
  }
  return {
    all: () => [...streams.values()],
    underWay: () =>
      [...streams.values()].flatMap(({ reading, receipt }) => (reading === null || receipt !== null ? [] : [reading])),
    follow(event, now) {
      switch (event.kind) {
        case 'run-started':
          for (const name of event.streams) standing(name)
          return
        case 'stream-started':
          standing(event.stream).reading = startReading(event.stream, now, event.before)
          return
        case 'page': {
          const { stream, slice, page, records, bytes, total } = event
          const reading = readingOf(stream, now)
          const key = `${stream} ${page} ${slice}`
          takePage(reading, { isNew: key !== lastPage, records, bytes })
          // The last page of a walk often has no count left to give.
          reading.total = total ?? reading.total
          lastPage = key
          return
        }
        case 'committed': {
          // The sync counts better: a slice that starts over takes its pages back.
          const { stream, pages, records } = event
          Object.assign(readingOf(stream, now), { pages, records })
          return
        }
        case 'notice':
          if (event.stream !== '') takeNotice(readingOf(event.stream, now), event.notice, now)
          return
        case 'stream-ended':
        case 'stream-skipped':
          standing(event.receipt.stream).receipt = event.receipt
          return
        case 'slice-ended':
        case 'run-ended':
          return
      }
    },
  }
}
