/** Slices and pages on a time axis: when each was asked, how long it took, what it brought, why it was the last. */
import { type CSSProperties, useMemo, useState } from 'react'
import { roundDuration } from '../../durations.ts'
import type { ReadState } from '../read-state.ts'
import { selectPage, useBegunAt, useReadKey, useSelectedPage } from '../read-store.ts'
import { VirtualTree } from '../tree/virtual-tree.tsx'
import { useNow } from '../use-now.ts'
import './timeline.css'
import { axisEnd } from './time-axis.ts'
import { rowHeight, rowName, RowView } from './timeline-row.tsx'
import { TokenEdge } from './token-edge.tsx'
import { pageRowId, type TimelineRow, timelineRows } from './timeline-rows.ts'

export type TimelineProps = {
  readonly read: ReadState
  /** A row that is not a page, while it has the keyboard focus; the selected page is shared. */
  readonly resting: string | null
  readonly onRest: (row: TimelineRow | null) => void
}

export function Timeline({ read, resting, onRest }: TimelineProps) {
  const key = useReadKey()
  const selected = useSelectedPage()
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => timelineRows(read, turned), [read, turned])
  const end = useAxisEnd(read)
  const [tokenWidth, setTokenWidth] = useState<number | null>(null)
  const pinned = pinnedStop(read)

  function turn({ id }: TimelineRow): void {
    const now = new Set(turned)
    if (!now.delete(id)) now.add(id)
    setTurned(now)
  }
  function choose(row: TimelineRow): void {
    onRest(row.kind === 'page' ? null : row)
    if (row.kind === 'page') selectPage(key, row.page)
  }

  return (
    <section
      className="timeline"
      aria-label="Pages"
      style={tokenWidth === null ? undefined : ({ '--token-width': `${tokenWidth}px` } as CSSProperties)}
    >
      <div className="timeline-head">
        <span aria-hidden="true">page</span>
        <span className="axis" aria-hidden="true">
          <span>0</span>
          <span>{roundDuration(end / 2)}</span>
          <span>{roundDuration(end)}</span>
        </span>
        <span className="figure" aria-hidden="true">
          records
        </span>
        <span className="token-head">
          <TokenEdge width={tokenWidth} onResize={setTokenWidth} />
          <span aria-hidden="true">token</span>
        </span>
        <span className="figure" aria-hidden="true">
          status
        </span>
      </div>
      <VirtualTree
        label="Slices and pages"
        className="timeline-tree"
        rows={rows}
        active={resting ?? (selected === null ? null : pageRowId(selected))}
        onActive={choose}
        onTurn={turn}
        heightOf={(row) => rowHeight(row, pinned === null)}
        nameOf={rowName}
        followsEnd={read.status === 'reading'}
      >
        {(row) => <RowView row={row} end={end} saysStop={pinned === null} />}
      </VirtualTree>
      {pinned !== null && <p className="stop-pinned">{pinned}</p>}
    </section>
  )
}

/** Why one slice ended is always in sight, however many pages there are; of several slices, each row says it. */
function pinnedStop({ status, slices, pages }: ReadState): string | null {
  return status === 'ended' && slices.length < 2 ? (pages.at(-1)?.stopWords ?? null) : null
}

/** The axis grows during a read, and ends with it. */
function useAxisEnd({ status, at }: ReadState): number {
  const begunAt = useBegunAt()
  const now = useNow(status === 'reading')
  return axisEnd(status === 'reading' ? Math.max(at, now - begunAt) : at)
}
