/** The streams of a sync → the rows that fit into the window: the one being read, some before it, some behind. */
import type { Screen } from './live-table.ts'
import { colours, oneLine } from './print.ts'
import { comingRow, endedRow, readingRow, type RowLayout } from './sync-row.ts'
import type { StreamStanding } from './sync-streams.ts'
import { count } from '../../std/text/format-count.ts'

/** Names longer than this, or than a third of the window, are cut: numbers say more than the end of a name. */
const longestName = 32

export function blockOf(
  streams: readonly StreamStanding[],
  { columns = 80, rows = 24 }: Omit<Screen, 'write'>,
  now: number,
): string[] {
  const layout = layoutOf(streams, columns, now)
  const { from, to } = shownPart(streams, Math.max(3, rows - 2))
  const shown = streams.slice(from, to).map((stream) => rowOf(stream, layout))
  return [
    ...(from === 0 ? [] : [colours.dim(`… ${count(from, 'stream')} before`)]),
    ...shown,
    ...(to === streams.length ? [] : [colours.dim(`… ${count(streams.length - to, 'stream')} behind`)]),
  ]
}

function rowOf({ name, reading, receipt }: StreamStanding, layout: RowLayout): string {
  if (receipt !== null) return endedRow(receipt, reading, layout)
  return reading === null ? comingRow(name, layout) : readingRow(reading, layout)
}

function layoutOf(streams: readonly StreamStanding[], columns: number, now: number): RowLayout {
  const widest = Math.max(6, Math.min(longestName, Math.floor(columns / 3)))
  const widths = streams.map(({ name }) => Math.min(widest, oneLine(name).length))
  const hasBars = streams.some(({ reading }) => reading !== null && reading.total !== null)
  return { now, columns, hasBars, nameWidth: Math.max(6, ...widths) }
}

/** The first stream that has not ended stands a third down. */
function shownPart(streams: readonly StreamStanding[], height: number): { from: number; to: number } {
  if (streams.length <= height) return { from: 0, to: streams.length }
  const current = streams.findIndex(({ receipt }) => receipt === null)
  // Two rows say how many are not shown.
  const room = height - 2
  const wanted = (current < 0 ? streams.length : current) - Math.floor(room / 3)
  const from = Math.max(0, Math.min(wanted, streams.length - room))
  return { from, to: from + room }
}
