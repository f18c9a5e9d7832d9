/** Events of a read or a sync → rows that are redrawn on a terminal, or lines where there is none. */
import { isWarning, sayNotice } from '../../protocol/say.ts'
import { isReadToEnd } from '../../sync/receipt.ts'
import { count } from '../../std/text/format-count.ts'
import { openLiveRows, type Screen } from './live-table.ts'
import { colours, oneLine } from './print.ts'
import { progressLine, progressRows } from './progress-rows.ts'
import { type EndedStream, sayEnding } from './receipts.ts'
import { followStreams, type ProgressEvent } from './stream-progress.ts'

export type ProgressDisplay = {
  show(event: ProgressEvent): void
  /** A permanent line above the rows. */
  say(line: string): void
  /** Removes the rows. Returns the receipts of the streams that ended. */
  end(): readonly EndedStream[]
}

export type ProgressOptions = {
  /** Whether rows are redrawn; otherwise lines are written. */
  readonly isLive: boolean
  /** The streams, where no `run-started` names them. */
  readonly streams?: readonly string[]
  readonly screen?: Screen
  readonly now?: () => number
}

/** Often enough to look alive, seldom enough to cost nothing. */
const refreshMs = 100

/** How often a log reports on a stream that is being read. */
const logEveryMs = 10_000

export function showProgress(options: ProgressOptions): ProgressDisplay {
  const { isLive, screen = process.stderr, now = Date.now } = options
  const live = isLive ? openLiveRows(screen) : null
  const streams = followStreams(options.streams)
  let shownAt = now()
  const say = (line: string) => {
    if (live === null) screen.write(`${line}\n`)
    else live.put(line)
  }
  const refresh = () => {
    if (live !== null) live.draw(progressRows(streams.all(), screen, now()))
    else for (const progress of streams.underWay()) say(progressLine(progress, now()))
    shownAt = now()
  }
  const isOverdue = () => now() - shownAt >= (isLive ? refreshMs : logEveryMs)
  // A wait counts down although nothing happens.
  const timer = setInterval(() => void (isOverdue() && refresh()), refreshMs)

  return {
    show(event) {
      streams.follow(event, now())
      const line = sayEvent(event, isLive)
      if (line !== null) {
        say(line)
        if (!isLive) shownAt = now()
      }
      // A fast read leaves no time for the timer.
      if (isOverdue()) refresh()
    },
    say,
    end() {
      clearInterval(timer)
      live?.end()
      return streams.all().flatMap(({ receipt }) => (receipt === null ? [] : [receipt]))
    },
  }
}

/** What is said once; rows show the rest where there are rows. */
function sayEvent(event: ProgressEvent, hasRows: boolean): string | null {
  switch (event.kind) {
    case 'run-started': {
      const { run, connection, to, streams, continues } = event
      const what = `${count(streams.length, 'stream')} of "${oneLine(connection)}" into ${to}`
      return continues ? `Resuming run ${run}, which was interrupted: ${what}.` : `Syncing ${what}: run ${run}.`
    }
    case 'stream-started': {
      const { stream, mode, before } = event
      const name = oneLine(stream)
      if (before.pages > 0) {
        return `${name} resumes at page ${before.pages + 1}, after ${count(before.records, 'record')}.`
      }
      return hasRows ? null : `${name}: started${mode === undefined ? '' : `, ${mode}`}.`
    }
    case 'stream-skipped': {
      const { stream, records } = event.receipt
      return `${oneLine(stream)} was read to its end before the interruption: ${count(records, 'record')}.`
    }
    case 'stream-ended':
      return hasRows ? null : sayEnded(event.receipt)
    case 'notice':
      return sayForeignOrigin(event) ?? sayWarning(event, hasRows)
    case 'page':
    case 'slice-ended':
    case 'committed':
    case 'run-ended':
      return null
  }
}

function sayEnded(receipt: EndedStream): string {
  const { stream, records, pages, tookMs, ending } = receipt
  const took = tookMs === undefined ? '' : ` in ${(tookMs / 1000).toFixed(1)} s`
  const read = `${oneLine(stream)}: ${count(records, 'record')}, ${count(pages, 'page')}${took}`
  return isReadToEnd(ending) ? `${read}, stopped at: ${sayEnding(receipt)}.` : `${read}, ${sayEnding(receipt)}.`
}

/** No warning: downloads are often elsewhere. But a user may wonder why the other host refuses, or whether it got a token. */
function sayForeignOrigin({ stream, notice }: Extract<ProgressEvent, { kind: 'notice' }>): string | null {
  if (notice.kind !== 'foreign-origin' || notice.dropped.length === 0) return null
  return `note: ${oneLine(sayNotice(stream, notice))}`
}

/**
 * The row shows retries and how long the next one waits. Without rows only requests that got no response are reported:
 * the address may be wrong, and nothing else is visible while it waits.
 */
function sayWarning({ stream, notice }: Extract<ProgressEvent, { kind: 'notice' }>, hasRows: boolean): string | null {
  if (!isWarning(notice)) return null
  if (notice.kind === 'retry' && (hasRows || notice.isUnanswered !== true)) return null
  const text = stream === '' && notice.kind === 'warning' ? notice.text : sayNotice(stream, notice)
  return `${colours.yellow('warning')}: ${oneLine(text)}`
}
