/** A stream of a sync → its row, as wide as the window allows. */
import { sayStop, sayWait } from '../../protocol/say.ts'
import type { StreamReceipt } from '../../sync/receipt.ts'
import { colours, fit, oneLine } from './print.ts'
import { leftMs, type Reading, sayRate, sayWaiting } from './stream-progress.ts'
import { count, number } from '../../std/text/format-count.ts'

export type RowLayout = {
  readonly now: number
  readonly nameWidth: number
  /** Of the window. */
  readonly columns: number
  /** Whether any stream has a bar: the others leave room for it. */
  readonly hasBars: boolean
}

const barWidth = 14

/** What a row says, and what goes first where there is no room for all of it. */
type Part = { readonly text: string; readonly leavesAt: number }

const stays = Number.POSITIVE_INFINITY

export function readingRow(reading: Reading, layout: RowLayout): string {
  const waiting = sayWaiting(reading, layout.now)
  const { retries, bytes } = reading
  const parts: Part[] = [
    ...leading(reading.name, layout, barOf(reading)),
    ...counts(reading),
    ...(waiting === null ? [{ text: sayRate(reading, layout.now).padStart(7), leavesAt: 5 }] : []),
    ...(waiting === null ? [{ text: sayBytes(bytes).padStart(7), leavesAt: 1 }] : []),
    ...(retries === 0 ? [] : [{ text: sayRetries(retries), leavesAt: 3 }]),
    { text: waiting === null ? sayLeft(reading, layout.now) : oneLine(waiting), leavesAt: stays },
  ]
  return within(parts, layout).replace(/▇+/, (filled) => colours.green(filled))
}

/** `reading` is null where it was read before this sync. */
export function endedRow(receipt: StreamReceipt, reading: Reading | null, layout: RowLayout): string {
  const text = within(
    [
      ...leading(receipt.stream, layout, reading === null ? '' : barOf(reading)),
      ...counts(receipt),
      { text: sayEnding(receipt), leavesAt: stays },
    ],
    layout,
  )
  return receipt.ending === 'complete' || receipt.ending === 'incomplete' ? text : colours.red(text)
}

export function comingRow(name: string, layout: RowLayout): string {
  return colours.dim(within(leading(name, layout, ''), layout))
}

/** The same for a log, which has neither width nor columns. */
export function readingLine(reading: Reading, now: number): string {
  const { name, records, pages, bytes, retries } = reading
  const parts = [
    count(records, 'record'),
    count(pages, 'page'),
    sayRate(reading, now),
    sayBytes(bytes),
    retries === 0 ? '' : sayRetries(retries),
    oneLine(sayWaiting(reading, now) ?? sayLeft(reading, now)),
  ]
  return `${oneLine(name)}: ${parts.filter((part) => part !== '').join(', ')}`
}

/** Why a stream ended, in a few words. */
export function sayEnding({ ending, stop, error }: StreamReceipt): string {
  if (ending === 'cancelled') return 'interrupted'
  if (ending === 'failed') return error?.code === undefined ? 'failed' : `failed: ${error.code}`
  const stopped = stop === null ? 'nothing to ask for' : sayStop(stop)
  return ending === 'held' ? `${stopped}, held` : stopped
}

/** `12 KB`, `3.1 MB` */
function sayBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let size = bytes
  let unit = 0
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000
  return `${unit > 1 && size < 100 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`
}

function leading(name: string, { nameWidth, hasBars }: RowLayout, bar: string): Part[] {
  const named = { text: fit(oneLine(name), nameWidth).padEnd(nameWidth), leavesAt: stays }
  return hasBars ? [named, { text: bar.padEnd(barWidth), leavesAt: 2 }] : [named]
}

function counts({ records, pages }: { readonly records: number; readonly pages: number }): Part[] {
  return [
    { text: `${number(records).padStart(9)} ${records === 1 ? 'record ' : 'records'}`, leavesAt: stays },
    { text: `${number(pages).padStart(5)} ${pages === 1 ? 'page ' : 'pages'}`, leavesAt: 4 },
  ]
}

function barOf({ records, total }: Reading): string {
  if (total === null || total === 0) return ''
  const filled = Math.min(barWidth, Math.floor((records / total) * barWidth))
  return '▇'.repeat(filled) + '▁'.repeat(barWidth - filled)
}

function sayRetries(retries: number): string {
  return retries === 1 ? '1 retry' : `${number(retries)} retries`
}

function sayLeft(reading: Reading, now: number): string {
  const left = leftMs(reading, now)
  return left === null ? '' : `~${sayWait(Math.max(1000, Math.round(left / 1000) * 1000))} left`
}

/** Parts leave, the least wanted first, until the rest has room; what stays is cut. */
function within(parts: readonly Part[], layout: RowLayout): string {
  const width = layout.columns - 1
  const text = parts
    .map((part) => part.text)
    .join('   ')
    .trimEnd()
  const least = Math.min(...parts.map(({ leavesAt }) => leavesAt))
  if (text.length <= width || least === stays) return fit(text, width)
  return within(
    parts.filter(({ leavesAt }) => leavesAt > least),
    layout,
  )
}
