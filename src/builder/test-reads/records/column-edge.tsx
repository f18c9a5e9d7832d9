/** The right edge of a column head: dragged to resize, double-clicked to fit. Keys are up to the table. */
import { useRef } from 'react'

export function ColumnEdge({
  width,
  title,
  onResize,
  onFit,
}: {
  readonly width: number
  readonly title: string
  readonly onResize: (width: number) => void
  readonly onFit: () => void
}) {
  const from = useRef<{ x: number; width: number } | null>(null)
  const release = () => {
    from.current = null
  }
  return (
    <span
      className="column-edge"
      aria-hidden="true"
      title={title}
      onDoubleClick={onFit}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = { x: event.clientX, width }
      }}
      onPointerMove={({ clientX }) => {
        if (from.current !== null) onResize(from.current.width + clientX - from.current.x)
      }}
      onPointerUp={release}
      onPointerCancel={release}
    />
  )
}
