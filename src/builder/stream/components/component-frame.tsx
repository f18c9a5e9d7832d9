/** One part of several: its title, its place among them, and its fields. */
import type { ReactNode } from 'react'

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
        {position !== null && onMove !== undefined && (
          <>
            <button
              type="button"
              className="button quiet small"
              aria-label={`Move ${name} up`}
              onClick={() => onMove(-1)}
            >
              ↑
            </button>
            <button
              type="button"
              className="button quiet small"
              aria-label={`Move ${name} down`}
              onClick={() => onMove(1)}
            >
              ↓
            </button>
          </>
        )}
        <button type="button" className="button quiet small" aria-label={`Remove ${name}`} onClick={onRemove}>
          ×
        </button>
      </header>
      {children}
    </div>
  )
}
