/** Events of a sync → rows that move on a terminal, or lines where there is none. */
import { isWarning, sayNotice } from '../../protocol/say.ts'
import type { SyncEvent } from '../../sync/events.ts'
import { isReadToEnd, type StreamReceipt } from '../../sync/receipt.ts'
import { openLiveRows, type Screen } from './live-table.ts'
import { colours, oneLine } from './print.ts'
import { refreshMs } from './progress.ts'
import { readingLine, sayEnding } from './sync-row.ts'
import { blockOf } from './sync-rows.ts'
import { followStreams } from './sync-streams.ts'
import { count } from '../../std/text/format-count.ts'

export type SyncProgress = {
  tell(event: SyncEvent): void
  /** A line of its own; it tears no row. */
  say(line: string): void
  /** Takes the rows away. Gives the receipts of the streams that ended. */
  end(): readonly StreamReceipt[]
}

export type SyncProgressOptions = {
  readonly isLive: boolean
  readonly screen?: Screen
  readonly now?: () => number
}

/** How long a log stays silent about a stream that is being read. */
const silenceMs = 10_000

export function showSync({ isLive, screen = process.stderr, now = Date.now }: SyncProgressOptions): SyncProgress {
  const live = isLive ? openLiveRows(screen) : null
  const streams = followStreams()
  let shownAt = now()
  const say = (line: string) => {
    if (live === null) screen.write(`${line}\n`)
    else live.put(line)
  }
  const refresh = () => {
    if (live !== null) live.draw(blockOf(streams.all(), screen, now()))
    else for (const reading of streams.underWay()) say(readingLine(reading, now()))
    shownAt = now()
  }
  const isDue = () => now() - shownAt >= (isLive ? refreshMs : silenceMs)
  // A wait counts down although nothing happens.
  const timer = setInterval(() => void (isDue() && refresh()), refreshMs)

  return {
    tell(event) {
      streams.follow(event, now())
      const line = sayEvent(event, isLive)
      if (line !== null) {
        say(line)
        if (!isLive) shownAt = now()
      }
      // A fast sync leaves the timer no turn.
      if (isDue()) refresh()
    },
    say,
    end() {
      clearInterval(timer)
      live?.end()
      return streams.all().flatMap(({ receipt }) => (receipt === null ? [] : [receipt]))
    },
  }
}

/** What is said once and for good; rows say the rest where there are rows. */
function sayEvent(event: SyncEvent, hasRows: boolean): string | null {
  switch (event.kind) {
    case 'run-started': {
      const { run, connection, to, streams, continues } = event
      const what = `${count(streams.length, 'stream')} of "${oneLine(connection)}" into ${to}`
      return continues ? `Goes on with run ${run}, which was interrupted: ${what}.` : `Syncs ${what}: run ${run}.`
    }
    case 'stream-started': {
      const { stream, mode, before } = event
      const name = oneLine(stream)
      if (before.pages > 0) {
        return `${name} goes on from page ${before.pages + 1}: ${count(before.records, 'record')} are there.`
      }
      return hasRows ? null : `${name}: started, ${mode}.`
    }
    case 'stream-skipped': {
      const { stream, records } = event.receipt
      return `${oneLine(stream)} was read whole before the interruption: ${count(records, 'record')}.`
    }
    case 'stream-ended':
      return hasRows ? null : sayEnded(event.receipt)
    case 'notice':
      return sayWarning(event, hasRows)
    case 'page':
    case 'slice-ended':
    case 'committed':
    case 'run-ended':
      return null
  }
}

function sayEnded(receipt: StreamReceipt): string {
  const { stream, records, pages, tookMs, ending } = receipt
  const read = `${oneLine(stream)}: ${count(records, 'record')}, ${count(pages, 'page')} in ${(tookMs / 1000).toFixed(1)} s`
  return isReadToEnd(ending) ? `${read}, stopped at: ${sayEnding(receipt)}.` : `${read}, ${sayEnding(receipt)}.`
}

/**
 * Retries are in the row, which says how many there were and how long the next one waits. Without rows only those that
 * no answer came to are reported: they may be a wrong address, and nothing else is seen meanwhile.
 */
function sayWarning({ stream, notice }: Extract<SyncEvent, { kind: 'notice' }>, hasRows: boolean): string | null {
  if (!isWarning(notice)) return null
  if (notice.kind === 'retry' && (hasRows || notice.isUnanswered !== true)) return null
  const text = stream === '' && notice.kind === 'warning' ? notice.text : sayNotice(stream, notice)
  return `${colours.yellow('warning')}: ${oneLine(text)}`
}
