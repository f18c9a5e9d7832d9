/** One part of several: its title, its place among them, and its fields. */
import type { ReactNode } from 'react'
import { RowButtons } from '../../fields/row-buttons.tsx'

export function ComponentFrame({
  title,
  position,
  onMove,
  onRemove,
  children,
}: {
  title: string
  /** Counted from 1; null where there is only one. */
  position: number | null
  onMove?: (by: -1 | 1) => void
  onRemove: () => void
  children: ReactNode
}) {
  const name = position === null ? title : `${position} ${title}`
  return (
    <div className="component" role="group" aria-label={name}>
      <header>
        {position !== null && <span className="position">{position}</span>}
        <b>{title}</b>
        <RowButtons name={name} onMove={position === null ? undefined : onMove} onRemove={onRemove} />
      </header>
      {children}
    </div>
  )
}
