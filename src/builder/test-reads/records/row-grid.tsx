/** Rows as a table of any size: only rows and columns on screen are drawn; keys move from cell to cell. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react'
import { number } from '../../../std/text/format-count.ts'
import { kindOf } from '../body/json-rows.ts'
import { CellDetail } from './cell-detail.tsx'
import { type Cell, cellAfter } from './cell-keys.ts'
import { cellText, type RecordColumn } from './columns.ts'
import './records.css'
import type { RecordRow } from './use-records.ts'

const rowHeight = 26

export type RowGridProps = {
  readonly label: string
  readonly columns: readonly RecordColumn[]
  readonly rowCount: number
  /** Undefined is what has not come yet. */
  readonly rowAt: (index: number) => RecordRow | undefined
  /** Which rows are on screen. */
  readonly onSee?: (first: number, last: number) => void
}

export function RowGrid({ label, columns, rowCount, rowAt, onSee }: RowGridProps) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<Cell>({ row: 0, column: 0 })
  const numberWidth = 24 + String(rowCount).length * 8
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
    estimateSize: (index) => columns[index]?.width ?? 0,
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

  useEffect(() => onSee?.(first, last), [onSee, first, last])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey) return
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
                      data-kind={value === undefined ? 'none' : kindOf(value)}
                      data-numeric={columns[index]?.isNumeric}
                      style={{ width: size, left: start }}
                      data-row={row}
                      data-column={index}
                    >
                      {record === undefined ? '…' : cellText(value)}
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
