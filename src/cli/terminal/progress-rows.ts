/** The streams of a read or a sync → the rows that fit into the window, or a line of a log. */
import { sayWait } from '../../protocol/say.ts'
import { type EndedStream, sayEnding } from './receipts.ts'
import { colours, fit, oneLine } from './print.ts'
import { type FollowedStream, leftMs, sayRate, sayWaiting, type StreamProgress } from './stream-progress.ts'
import { count, number } from '../../std/text/format-count.ts'
import type { Screen } from './live-table.ts'

type RowLayout = {
  readonly now: number
  readonly nameWidth: number
  /** Of the window. */
  readonly columns: number
  /** Whether any stream has a bar: the rows of the others leave room for it. */
  readonly hasBars: boolean
}

const barWidth = 14

/** A part of a row. Where the window is too narrow, parts are dropped in this order. */
type RowPart = { readonly text: string; readonly dropOrder: number }

const never = Number.POSITIVE_INFINITY

function progressRow(progress: StreamProgress, layout: RowLayout): string {
  const waiting = sayWaiting(progress, layout.now)
  const { retries, bytes } = progress
  const parts: RowPart[] = [
    ...leading(progress.name, layout, barOf(progress)),
    ...counts(progress),
    ...(waiting === null ? [{ text: sayRate(progress, layout.now).padStart(7), dropOrder: 5 }] : []),
    ...(waiting === null ? [{ text: sayBytes(bytes).padStart(7), dropOrder: 1 }] : []),
    ...(retries === 0 ? [] : [{ text: sayRetries(retries), dropOrder: 3 }]),
    { text: waiting === null ? sayLeft(progress, layout.now) : oneLine(waiting), dropOrder: never },
  ]
  return within(parts, layout).replace(/▇+/, (filled) => colours.green(filled))
}

/** `progress` is null where it was read before this run. */
function endedRow(receipt: EndedStream, progress: StreamProgress | null, layout: RowLayout): string {
  const text = within(
    [
      ...leading(receipt.stream, layout, progress === null ? '' : barOf(progress)),
      ...counts(receipt),
      { text: sayEnding(receipt), dropOrder: never },
    ],
    layout,
  )
  return receipt.ending === 'complete' || receipt.ending === 'incomplete' ? text : colours.red(text)
}

function pendingRow(name: string, layout: RowLayout): string {
  return colours.dim(within(leading(name, layout, ''), layout))
}

/** The same for a log, which has neither width nor columns. */
export function progressLine(progress: StreamProgress, now: number): string {
  const { name, records, pages, bytes, retries } = progress
  const parts = [
    count(records, 'record'),
    count(pages, 'page'),
    sayRate(progress, now),
    sayBytes(bytes),
    retries === 0 ? '' : sayRetries(retries),
    oneLine(sayWaiting(progress, now) ?? sayLeft(progress, now)),
  ]
  return `${oneLine(name)}: ${parts.filter((part) => part !== '').join(', ')}`
}

/** `12 KB`, `3.1 MB` */
function sayBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let size = bytes
  let unit = 0
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000
  return `${unit > 1 && size < 100 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`
}

function leading(name: string, { nameWidth, hasBars }: RowLayout, bar: string): RowPart[] {
  const named = { text: fit(oneLine(name), nameWidth).padEnd(nameWidth), dropOrder: never }
  return hasBars ? [named, { text: bar.padEnd(barWidth), dropOrder: 2 }] : [named]
}

function counts({ records, pages }: { readonly records: number; readonly pages: number }): RowPart[] {
  return [
    { text: `${number(records).padStart(9)} ${records === 1 ? 'record ' : 'records'}`, dropOrder: never },
    { text: `${number(pages).padStart(5)} ${pages === 1 ? 'page ' : 'pages'}`, dropOrder: 4 },
  ]
}

function barOf({ records, total }: StreamProgress): string {
  if (total === null || total === 0) return ''
  const filled = Math.min(barWidth, Math.floor((records / total) * barWidth))
  return '▇'.repeat(filled) + '▁'.repeat(barWidth - filled)
}

function sayRetries(retries: number): string {
  return retries === 1 ? '1 retry' : `${number(retries)} retries`
}

function sayLeft(progress: StreamProgress, now: number): string {
  const left = leftMs(progress, now)
  return left === null ? '' : `~${sayWait(Math.max(1000, Math.round(left / 1000) * 1000))} left`
}

/** Drops parts until the rest fits; what cannot be dropped is cut. */
function within(parts: readonly RowPart[], layout: RowLayout): string {
  const width = layout.columns - 1
  const text = parts
    .map((part) => part.text)
    .join('   ')
    .trimEnd()
  const least = Math.min(...parts.map(({ dropOrder }) => dropOrder))
  if (text.length <= width || least === never) return fit(text, width)
  return within(
    parts.filter(({ dropOrder }) => dropOrder > least),
    layout,
  )
}

/** Names longer than this, or than a third of the window, are cut. */
const longestName = 32

export function progressRows(
  streams: readonly FollowedStream[],
  { columns = 80, rows = 24 }: Omit<Screen, 'write'>,
  now: number,
): string[] {
  const layout = layoutOf(streams, columns, now)
  const { from, to } = shownPart(streams, Math.max(3, rows - 2))
  const shown = streams.slice(from, to).map((stream) => rowOf(stream, layout))
  return [
    ...(from === 0 ? [] : [colours.dim(`… ${count(from, 'stream')} before`)]),
    ...shown,
    ...(to === streams.length ? [] : [colours.dim(`… ${count(streams.length - to, 'stream')} after`)]),
  ]
}

function rowOf({ name, progress, receipt }: FollowedStream, layout: RowLayout): string {
  if (receipt !== null) return endedRow(receipt, progress, layout)
  return progress === null ? pendingRow(name, layout) : progressRow(progress, layout)
}

function layoutOf(streams: readonly FollowedStream[], columns: number, now: number): RowLayout {
  const widest = Math.max(6, Math.min(longestName, Math.floor(columns / 3)))
  const widths = streams.map(({ name }) => Math.min(widest, oneLine(name).length))
  const hasBars = streams.some(({ progress }) => progress !== null && progress.total !== null)
  return { now, columns, hasBars, nameWidth: Math.max(6, ...widths) }
}

/** The first stream that has not ended is shown a third down. */
function shownPart(streams: readonly FollowedStream[], height: number): { from: number; to: number } {
  if (streams.length <= height) return { from: 0, to: streams.length }
  const current = streams.findIndex(({ receipt }) => receipt === null)
  // Two rows show how many are hidden.
  const room = height - 2
  const wanted = (current < 0 ? streams.length : current) - Math.floor(room / 3)
  const from = Math.max(0, Math.min(wanted, streams.length - room))
  return { from, to: from + room }
}
