/** One row of the timeline: number, bar, records, token in and out, status; the last says why it is the last. */
import type { CSSProperties } from 'react'
import { stringifyJson } from '../../../std/json.ts'
import { count, number } from '../../../std/text/format-count.ts'
import { duration } from '../../durations.ts'
import { useBegunAt } from '../read-store.ts'
import { useNow } from '../use-now.ts'
import { barOn, labelSide } from './time-axis.ts'
import { changingParts } from './changing-parts.ts'
import type { TimelineRow } from './timeline-rows.ts'

/** @param saysStop whether the row of the last page says why it is the last */
export function rowHeight(row: TimelineRow, saysStop: boolean): number {
  return saysStop && row.kind === 'page' && row.page.stopWords !== null ? 56 : 32
}

export function RowView({ row, end, saysStop }: { row: TimelineRow; end: number; saysStop: boolean }) {
  switch (row.kind) {
    case 'auxiliaries':
      return <Heading label={count(row.auxiliaries.length, 'other request')} note="tokens, parents, jobs" />
    case 'slice':
      return <Heading label={row.label} note={pagesAndRecords(row.pages)} />
    case 'auxiliary': {
      const { title, at, tookMs, response } = row.auxiliary
      return (
        <div className="timeline-row auxiliary">
          <span className="title">{title}</span>
          <Bar end={end} at={at} tookMs={tookMs} />
          <Status status={response?.status ?? null} />
        </div>
      )
    }
    case 'try': {
      const { title, at, tookMs, response } = row.auxiliary
      return (
        <div className="timeline-row try" data-level={row.level}>
          <span className="page-number">{row.page + 1}</span>
          <Bar end={end} at={at} tookMs={tookMs} />
          <span className="title">{tryWords(title)}</span>
          <Status status={response?.status ?? null} />
        </div>
      )
    }
    case 'asked':
      return <AskedRow row={row} end={end} />
    case 'page':
      return <PageRow row={row} end={end} saysStop={saysStop} />
  }
}

function Heading({ label, note }: { label: string; note: string }) {
  return (
    <div className="timeline-heading">
      <span className="turn" />
      <span className="label">{label}</span>
      <span className="note">{note}</span>
    </div>
  )
}

type PageRowProps = {
  readonly row: Extract<TimelineRow, { kind: 'page' }>
  readonly end: number
  readonly saysStop: boolean
}

function PageRow({ row: { page, level }, end, saysStop }: PageRowProps) {
  const [tokenIn, tokenOut] = changingParts(tokenText(page.tokenIn), tokenText(page.tokenOut))
  return (
    <>
      <div className="timeline-row" data-level={level}>
        <span className="page-number">{page.page + 1}</span>
        <Bar end={end} at={page.at} tookMs={page.tookMs} />
        <span className="figure">{number(page.received)}</span>
        <span className="token mono" title={tokenWords(page.tokenIn, page.tokenOut)}>
          <span>{tokenIn}</span>
          <span className="arrow">→</span>
          {page.tokenOut === null ? <span className="stop">stop</span> : <span>{tokenOut}</span>}
        </span>
        <Status status={page.response.status} />
      </div>
      {saysStop && page.stopWords !== null && <p className="stop-words">{page.stopWords}</p>}
    </>
  )
}

function AskedRow({ row: { asked, level }, end }: { row: Extract<TimelineRow, { kind: 'asked' }>; end: number }) {
  const begunAt = useBegunAt()
  const tookMs = Math.max(0, useNow(true) - begunAt - asked.at)
  return (
    <div className="timeline-row asked" data-level={level}>
      <span className="page-number">{asked.page + 1}</span>
      <Bar end={end} at={asked.at} tookMs={tookMs} />
      <span className="figure">{duration(tookMs)}</span>
      <span className="token">waiting</span>
    </div>
  )
}

/** Part of the waterfall; the duration is shown where there is room. */
function Bar({ end, at, tookMs }: { end: number; at: number; tookMs: number }) {
  const bar = barOn(end, at, tookMs)
  return (
    <span className="bar" style={{ '--from': bar.from, '--to': bar.from + bar.width } as CSSProperties}>
      <span className="fill" />
      <span className="took" data-side={labelSide(bar)}>
        {duration(tookMs)}
      </span>
    </span>
  )
}

function Status({ status }: { status: number | null }) {
  if (status === null) return <span className="figure status">none</span>
  return (
    <span className="figure status" data-bad={status >= 400 || undefined}>
      {status}
    </span>
  )
}

/** What a screen reader says of a row. */
export function rowName(row: TimelineRow): string {
  switch (row.kind) {
    case 'auxiliaries':
      return count(row.auxiliaries.length, 'other request')
    case 'auxiliary':
      return `${row.auxiliary.title}, ${duration(row.auxiliary.tookMs)}`
    case 'slice':
      return `${row.label}, ${pagesAndRecords(row.pages)}`
    case 'try':
      return `Page ${row.page + 1}, ${tryWords(row.auxiliary.title)}, ${duration(row.auxiliary.tookMs)}`
    case 'asked':
      return `Page ${row.asked.page + 1}, waiting`
    case 'page': {
      const { page, received, tookMs, response, tokenIn, tokenOut, stopWords } = row.page
      const figures = `${count(received, 'record')}, ${duration(tookMs)}, status ${response.status}`
      return `Page ${page + 1}, ${figures}, ${tokenWords(tokenIn, tokenOut)}${stopWords === null ? '' : `, ${stopWords}`}`
    }
  }
}

function pagesAndRecords(pages: readonly { received: number }[]): string {
  const received = pages.reduce((sum, page) => sum + page.received, 0)
  return `${count(pages.length, 'page')}, ${count(received, 'record')}`
}

/** The row says already that it is a page. */
function tryWords(title: string): string {
  return title.replace(/^Page: /, '')
}

function tokenText(token: unknown): string {
  if (token === null || token === undefined) return '—'
  return typeof token === 'string' ? token : stringifyJson(token)
}

function tokenWords(tokenIn: unknown, tokenOut: unknown): string {
  const asked = tokenIn === null ? 'requested without a token' : `requested with ${tokenText(tokenIn)}`
  return `${asked}, ${tokenOut === null ? 'no next page' : `next ${tokenText(tokenOut)}`}`
}
