/** Streams being read → one row each on standard error, which stay behind as a table of what was read. */
import { ConnectorError } from '../errors.ts'
import type { Page } from '../engine/pages/page.ts'
import type { Notice } from '../engine/response/notice.ts'
import type { StreamOutcome, Watch } from '../protocol/read-stream.ts'
import { number, sayStop, sayWait } from '../protocol/say.ts'
import { type Column, colours, fit, row } from './print.ts'

export type Screen = { readonly columns?: number; write(text: string): unknown }

export type ProgressOptions = {
  /** `live`: the row of the stream being read moves. `rows`: a row appears when its stream ends. `end`: all at the end. */
  readonly mode: 'live' | 'rows' | 'end'
  readonly screen?: Screen
  readonly now?: () => number
}

type Reading = {
  name: string
  since: number
  pages: number
  records: number
  wait: { until: number; reason: string } | null
  /** What the API says of the job it works on; null when there is none. */
  job: string | null
}

/** Often enough to look alive, seldom enough to cost nothing. */
const refreshMs = 100

export function showProgress(names: readonly string[], options: ProgressOptions): Required<Watch> & { end(): void } {
  const { mode, screen = process.stderr, now = Date.now } = options
  const isLive = mode === 'live'
  const columns: Column[] = [
    { width: Math.max(6, ...names.map((name) => name.length)) },
    { width: 10, isNumber: true },
    { width: 6, isNumber: true },
  ]
  let reading: Reading | null = null
  const draw = (cells: readonly string[]) => fit(row(columns, cells), (screen.columns ?? 80) - 1)
  const replaceLine = (text: string) => screen.write(isLive ? `\r\x1b[2K${text}` : text)
  let drawnAt = 0
  const refresh = () => {
    if (reading === null || !isLive) return
    drawnAt = now()
    replaceLine(draw(cellsOf(reading, drawnAt)))
  }
  const timer = isLive ? setInterval(refresh, refreshMs) : undefined
  // A read that ends early leaves the cursor on a line of its own.
  const leave = () => void (reading !== null && isLive && screen.write('\n'))
  process.once('exit', leave)
  const kept: string[] = []
  const put = (line: string) => {
    if (mode === 'end') kept.push(line)
    else replaceLine(line)
  }
  let hasHeader = false

  return {
    started(name) {
      if (!hasHeader) put(`${colours.dim(draw(['stream', 'records', 'pages', 'stopped at']))}\n`)
      hasHeader = true
      reading = { name, since: now(), pages: 0, records: 0, wait: null, job: null }
    },
    page({ records, part }: Page) {
      if (reading === null) return
      if (part === 0) reading.pages++
      reading.records += records.length
      reading.wait = null
      // A fast read leaves the timer no turn.
      if (now() - drawnAt >= refreshMs) refresh()
    },
    notice(_stream, notice: Notice) {
      if (reading === null) return
      if (notice.kind === 'job') reading.job = notice.state === 'running' ? notice.reason : null
      else if ('waitMs' in notice) {
        const reason = notice.kind === 'budget' ? 'the rate limits of the manifest' : notice.reason
        reading.wait = { until: now() + notice.waitMs, reason }
      } else return
      refresh()
    },
    ended(outcome) {
      reading = null
      const text = draw([outcome.name, number(outcome.records), number(outcome.pages), sayEnd(outcome)])
      put(`${outcome.ending === 'complete' ? text : colours.red(text)}\n`)
    },
    end() {
      clearInterval(timer)
      process.removeListener('exit', leave)
      screen.write(kept.join(''))
    },
  }
}

function cellsOf(reading: Reading, now: number): string[] {
  const { name, pages, records } = reading
  return [name, number(records), number(pages), doing(reading, now)]
}

function doing({ since, records, wait, job }: Reading, now: number): string {
  const leftMs = wait === null ? 0 : wait.until - now
  if (wait !== null && leftMs > 0) return `waiting ${sayWait(leftMs)}: ${wait.reason}`
  return job === null ? rate(records, now - since) : `waiting for a job: ${job}`
}

/** `840/s`, `3.1 k/s` */
function rate(records: number, tookMs: number): string {
  const perSecond = tookMs <= 0 ? 0 : (records * 1000) / tookMs
  return perSecond < 1000 ? `${Math.round(perSecond)}/s` : `${(perSecond / 1000).toFixed(1)} k/s`
}

function sayEnd({ ending, stop, error }: StreamOutcome): string {
  if (ending === 'cancelled') return 'cancelled'
  if (ending === 'failed') return error instanceof ConnectorError ? `failed: ${error.code}` : 'failed'
  return stop === null ? 'nothing to ask for' : sayStop(stop)
}
