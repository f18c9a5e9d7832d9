/** A tree of any length: only the rows on screen are drawn, and every one is reached by keys. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import './tree.css'
import { type TreeRow, treeStep } from './tree-keys.ts'

export type VirtualTreeProps<Row extends TreeRow> = {
  readonly label: string
  readonly rows: readonly Row[]
  /** The row that keys start from; what choosing one means is up to the caller. */
  readonly active: string | null
  readonly onActive: (row: Row) => void
  readonly onTurn: (row: Row) => void
  readonly heightOf: (row: Row) => number
  /** What a screen reader announces for a row, where its content does not read well. */
  readonly nameOf?: (row: Row) => string
  readonly children: (row: Row) => ReactNode
  readonly className?: string
  /** Whether the last row stays in view as rows are added, until the user scrolls away. */
  readonly followsEnd?: boolean
}

export function VirtualTree<Row extends TreeRow>(props: VirtualTreeProps<Row>) {
  const {
    label,
    rows,
    active,
    onActive,
    onTurn,
    heightOf,
    nameOf,
    children,
    className = '',
    followsEnd = false,
  } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const heightAt = (index: number) => {
    const row = rows[index]
    return row === undefined ? 0 : heightOf(row)
  }
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: heightAt,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 10,
  })
  const activeIndex = rows.findIndex((row) => row.id === active)
  const heights = rows.length === 0 ? 0 : virtual.getTotalSize()

  // The content of a row decides its height: the last page has one more line.
  const lastHeight = heightAt(rows.length - 1)
  useEffect(() => virtual.measure(), [virtual, rows.length, lastHeight])
  useEffect(() => {
    if (activeIndex >= 0) virtual.scrollToIndex(activeIndex)
  }, [virtual, activeIndex])
  useEffect(() => {
    const box = scroller.current
    if (followsEnd && box !== null && box.scrollHeight - box.scrollTop - box.clientHeight < 120) {
      virtual.scrollToIndex(rows.length - 1)
    }
  }, [virtual, followsEnd, rows.length])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const onScreen = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / 32))
    const step = treeStep(rows, Math.max(0, activeIndex), event.key, onScreen)
    const row = step && rows[step.index]
    if (step === null || row === undefined || row === null) return
    event.preventDefault()
    if (step.kind === 'go') onActive(row)
    else onTurn(row)
  }

  function onClick({ target }: MouseEvent): void {
    const item = target instanceof Element ? target.closest<HTMLElement>('[role="treeitem"]') : null
    const row = rows[Number(item?.dataset.index)]
    if (row === undefined) return
    onActive(row)
    if (row.isOpen !== null) onTurn(row)
  }

  return (
    <div
      ref={scroller}
      className={`tree ${className}`}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={activeIndex >= 0 ? `${id}-${activeIndex}` : undefined}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <div className="tree-rows" role="presentation" style={{ height: heights }}>
        {virtual.getVirtualItems().map(({ index, start, size, key }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <div
              key={key}
              id={`${id}-${index}`}
              className="tree-row"
              role="treeitem"
              aria-level={row.level}
              aria-expanded={row.isOpen ?? undefined}
              aria-selected={index === activeIndex}
              data-index={index}
              style={{ height: size, transform: `translateY(${start}px)` }}
            >
              {nameOf !== undefined && <span className="hidden">{nameOf(row)}</span>}
              <div className="tree-cells" aria-hidden={nameOf !== undefined}>
                {children(row)}
              </div>
            </div>
          )
        })}
      </div>
    </div>
  )
}
