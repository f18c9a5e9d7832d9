/** Streams being read → one row each on standard error, which stay behind as a table of what was read. */
import { ConnectorError } from '../../std/errors.ts'
import type { Page } from '../../read.ts'
import type { Notice } from '../../engine/response/notice.ts'
import type { StreamOutcome, Watch } from '../../protocol/read-stream.ts'
import { isAlarm } from '../../proof/verdict/verdict.ts'
import { sayRepeated, sayStop, sayVerdict } from '../../protocol/say.ts'
import { openLiveRows, type Screen } from './live-table.ts'
import { type Column, colours, fit, oneLine, row } from './print.ts'
import { type Reading, sayRate, sayWaiting, startReading, takeNotice, takePage } from './stream-progress.ts'
import { number } from '../../std/text/format-count.ts'

export type ProgressOptions = {
  /** Whether the row of the stream being read moves; otherwise all rows appear at the end. */
  readonly isLive: boolean
  readonly screen?: Screen
  readonly now?: () => number
}

/** Often enough to look alive, seldom enough to cost nothing. */
export const refreshMs = 100

export function showProgress(names: readonly string[], options: ProgressOptions): Required<Watch> & { end(): void } {
  const { isLive, screen = process.stderr, now = Date.now } = options
  const columns: Column[] = [
    { width: Math.max(6, ...names.map((name) => name.length)) },
    { width: 10, isNumber: true },
    { width: 6, isNumber: true },
    { width: 14 },
  ]
  const live = isLive ? openLiveRows(screen) : null
  let reading: Reading | null = null
  let drawnAt = 0
  const draw = (cells: readonly string[]) => fit(row(columns, cells), (screen.columns ?? 80) - 1)
  const refresh = () => {
    if (reading === null || live === null) return
    drawnAt = now()
    live.draw([draw(cellsOf(reading, drawnAt))])
  }
  const timer = live === null ? undefined : setInterval(refresh, refreshMs)
  const kept: string[] = []
  const put = (line: string) => {
    if (live === null) kept.push(`${line}\n`)
    else live.put(line)
  }
  let hasHeader = false

  return {
    started(name) {
      if (!hasHeader) put(colours.dim(row(columns, ['stream', 'records', 'pages', 'stopped at', 'verdict'])))
      hasHeader = true
      reading = startReading(name, now())
    },
    page({ records, part }: Page) {
      if (reading === null) return
      takePage(reading, { isNew: part === 0, records: records.length })
      // A fast read leaves the timer no turn.
      if (now() - drawnAt >= refreshMs) refresh()
    },
    notice(_stream, notice: Notice) {
      if (reading !== null && takeNotice(reading, notice, now())) refresh()
    },
    ended(outcome) {
      reading = null
      const { name, records, pages, ending, proof } = outcome
      const verdict = oneLine(sayVerdict(proof) + sayRepeated(proof.keys))
      // For good, so that it may be longer than the window is wide.
      const text = row(columns, [name, number(records), number(pages), sayEnd(outcome), verdict])
      live?.draw([])
      put(ending === 'complete' && !isAlarm(proof.verdict) ? text : colours.red(text))
    },
    end() {
      clearInterval(timer)
      live?.end()
      screen.write(kept.join(''))
    },
  }
}

function cellsOf(reading: Reading, now: number): string[] {
  const { name, pages, records } = reading
  return [name, number(records), number(pages), sayWaiting(reading, now) ?? sayRate(reading, now)]
}

function sayEnd({ ending, stop, error }: StreamOutcome): string {
  if (ending === 'cancelled') return 'cancelled'
  if (ending === 'failed') return error instanceof ConnectorError ? `failed: ${error.code}` : 'failed'
  return stop === null ? 'nothing to ask for' : sayStop(stop)
}
