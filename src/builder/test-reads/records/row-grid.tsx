/** Rows as a table of any size: only rows and columns on screen are drawn; keys move from cell to cell. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { count, number } from '../../../std/text/format-count.ts'
import { hasText } from '../../../std/values/has-text.ts'
import { jsonKind, leafText, jsonMembers } from '../body/json-rows.ts'
import { ColumnEdge } from './column-edge.tsx'
import { cellText, type RecordColumn } from './record-columns.ts'
import { stepPx, useColumnWidths, widthFor } from './use-column-widths.ts'
import type { RecordRow } from './use-records.ts'
import { Marked } from '../body/marked.tsx'
import { CopyButton } from '../copy-button.tsx'
import { JsonTree } from '../body/json-tree.tsx'
import './records.css'

const rowHeight = 26

export type RowGridProps = {
  readonly label: string
  readonly columns: readonly RecordColumn[]
  readonly rowCount: number
  /** Undefined is what has not come yet. */
  readonly rowAt: (index: number) => RecordRow | undefined
  /** Which rows are on screen. */
  readonly onSee?: (first: number, last: number) => void
  /** What comes before the number of each row, such as its page. */
  readonly origin?: { readonly title: string; readonly width: number; readonly at: (index: number) => string }
  /** Marked in the cells that have it. */
  readonly wanted?: string
}

export function RowGrid({ label, columns, rowCount, rowAt, onSee, origin, wanted = '' }: RowGridProps) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<Cell>({ row: 0, column: 0 })
  const originWidth = origin?.width ?? 0
  const numberWidth = originWidth + 24 + String(rowCount).length * 8
  const { widthOf, resize } = useColumnWidths(columns)
  const rows = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    scrollPaddingStart: 44,
    overscan: 12,
  })
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: widthOf,
    paddingStart: numberWidth,
    scrollPaddingStart: numberWidth,
    overscan: 3,
  })
  const seen = rows.getVirtualItems()
  const shown = across.getVirtualItems()
  const [first, last] = [seen[0]?.index ?? 0, seen.at(-1)?.index ?? 0]
  const width = across.getTotalSize()
  const cellId = ({ row, column }: Cell) => `${id}-${row}-${column}`
  const column = columns[active.column]

  useEffect(() => {
    rows.scrollToIndex(active.row)
    across.scrollToIndex(active.column)
  }, [rows, across, active])

  useLayoutEffect(() => across.measure(), [across, widthOf, numberWidth])

  /** As wide as the longest value on screen. */
  function fit(index: number): void {
    const { name = '' } = columns[index] ?? {}
    const texts = seen.map(({ index: row }) => cellText(rowAt(row)?.[name]))
    resize(index, widthFor([name, ...texts]))
  }

  useEffect(() => onSee?.(first, last), [onSee, first, last])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey) return
    if (event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      event.preventDefault()
      resize(active.column, widthOf(active.column) + (event.key === 'ArrowLeft' ? -stepPx : stepPx))
      return
    }
    const onScreen = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
    const next = cellAfter(active, event.key, {
      rows: rowCount,
      columns: columns.length,
      onScreen,
      isFar: event.ctrlKey,
    })
    if (next === null) return
    event.preventDefault()
    setActive(next)
  }

  function onClick({ target }: MouseEvent): void {
    const cell = target instanceof HTMLElement ? target.closest<HTMLElement>('[role="gridcell"]') : null
    if (cell !== null) setActive({ row: Number(cell.dataset.row), column: Number(cell.dataset.column) })
  }

  return (
    <>
      <div
        ref={scroller}
        className="records-table"
        role="grid"
        aria-label={label}
        aria-rowcount={rowCount + 1}
        aria-colcount={columns.length + 1}
        aria-activedescendant={cellId(active)}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <div className="head" role="row" aria-rowindex={1} style={{ width }}>
          <span role="columnheader" aria-colindex={1} className="row-number" style={{ width: numberWidth }}>
            {origin !== undefined && (
              <span className="origin" style={{ width: originWidth }}>
                {origin.title}
              </span>
            )}
            <span className="hidden">Number</span>
          </span>
          {shown.map(({ index, start, size }) => (
            <span
              key={index}
              role="columnheader"
              aria-colindex={index + 2}
              className="column"
              data-numeric={columns[index]?.isNumeric}
              style={{ width: size, left: start }}
            >
              <b title={columns[index]?.name}>{columns[index]?.name}</b>
              <small>{columns[index]?.kinds}</small>
              <ColumnEdge
                width={size}
                onResize={(px) => resize(index, px)}
                onFit={() => fit(index)}
                title="Drag to resize, double-click to fit; with the keyboard Shift and an arrow"
              />
            </span>
          ))}
        </div>
        <div role="presentation" className="rows" style={{ height: rows.getTotalSize(), width }}>
          {seen.map(({ index: row, start: top }) => {
            const record = rowAt(row)
            return (
              <div
                key={row}
                role="row"
                aria-rowindex={row + 2}
                className="row"
                style={{ transform: `translateY(${top}px)`, width }}
              >
                <span role="rowheader" aria-colindex={1} className="row-number" style={{ width: numberWidth }}>
                  {origin !== undefined && (
                    <span className="origin" style={{ width: originWidth }}>
                      {origin.at(row)}
                    </span>
                  )}
                  {number(row + 1)}
                </span>
                {shown.map(({ index, start, size }) => {
                  const name = columns[index]?.name ?? ''
                  const value = record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
                  const isActive = active.row === row && active.column === index
                  return (
                    <span
                      key={index}
                      id={cellId({ row, column: index })}
                      role="gridcell"
                      aria-colindex={index + 2}
                      aria-selected={isActive}
                      className="cell mono"
                      data-kind={value === undefined ? 'none' : jsonKind(value)}
                      data-numeric={columns[index]?.isNumeric}
                      style={{ width: size, left: start }}
                      data-row={row}
                      data-column={index}
                    >
                      {record === undefined ? '…' : <CellWords value={value} wanted={wanted} />}
                    </span>
                  )
                })}
              </div>
            )
          })}
        </div>
      </div>
      {column !== undefined && <CellDetail record={rowAt(active.row)} row={active.row} column={column.name} />}
    </>
  )
}

/** What has the words where the cell does not show them, in a nested value or far down a long one, is marked as a whole. */
function CellWords({ value, wanted }: { readonly value: unknown; readonly wanted: string }) {
  const text = cellText(value)
  const needle = wanted.toLowerCase()
  const isBelow = needle !== '' && !text.toLowerCase().includes(needle) && hasText(value, needle)
  return isBelow ? <mark>{text}</mark> : <Marked text={text} wanted={wanted} />
}

/** More than anyone reads, and little enough to be laid out at once. */
const mostShown = 20_000

function CellDetail({ record, row, column }: { record: RecordRow | undefined; row: number; column: string }) {
  const isThere = record !== undefined && Object.hasOwn(record, column)
  const value = isThere ? record[column] : undefined
  const kind = isThere ? jsonKind(value) : 'not there'
  const text = typeof value === 'string' ? value : leafText(value)
  return (
    <section className="cell-detail" aria-label={`${column} of record ${row + 1}`}>
      <header>
        <span className="mono">{column}</span>
        <span className="kind">{kind}</span>
        {isThere && <CopyButton label="Copy" text={() => text} />}
      </header>
      {isThere &&
        (jsonMembers(value).length > 0 ? (
          <JsonTree key={column} value={value} label={column} />
        ) : (
          <pre>{text.slice(0, mostShown)}</pre>
        ))}
      {text.length > mostShown && (
        <p className="quiet-words">
          The first {count(mostShown, 'character')} of {count(text.length, 'character')}. Copy has all.
        </p>
      )}
    </section>
  )
}

type Cell = { readonly row: number; readonly column: number }

type TableSize = {
  readonly rows: number
  readonly columns: number
  readonly onScreen: number
  /** With Ctrl: all the way. */
  readonly isFar: boolean
}

/** Null where the key means nothing here. */
function cellAfter({ row, column }: Cell, key: string, { rows, columns, onScreen, isFar }: TableSize): Cell | null {
  const at = (toRow: number, toColumn: number): Cell => ({
    row: Math.max(0, Math.min(rows - 1, toRow)),
    column: Math.max(0, Math.min(columns - 1, toColumn)),
  })
  switch (key) {
    case 'ArrowDown':
      return at(isFar ? rows : row + 1, column)
    case 'ArrowUp':
      return at(isFar ? 0 : row - 1, column)
    case 'ArrowRight':
      return at(row, isFar ? columns : column + 1)
    case 'ArrowLeft':
      return at(row, isFar ? 0 : column - 1)
    case 'PageDown':
      return at(row + onScreen, column)
    case 'PageUp':
      return at(row - onScreen, column)
    case 'Home':
      return at(isFar ? 0 : row, 0)
    case 'End':
      return at(isFar ? rows : row, columns)
    default:
      return null
  }
}
