/** The line between two columns: dragged, moved by arrow keys, set back by a double click. */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { type EditorColumn, limits } from './column-widths.ts'

const stepPx = 16

export function Splitter({
  column,
  label,
  width,
  onResize,
}: {
  readonly column: EditorColumn
  readonly label: string
  readonly width: number
  /** Null for the usual width. */
  readonly onResize: (width: number | null) => void
}) {
  // The outline grows to the right, the test panel to the left.
  const sign = column === 'outline' ? 1 : -1
  const from = useRef<{ x: number; width: number } | null>(null)

  function press(event: KeyboardEvent): void {
    const steps: Record<string, number | null> = {
      ArrowLeft: width - sign * stepPx,
      ArrowRight: width + sign * stepPx,
      Home: limits[column].least,
      End: limits[column].most,
      Enter: null,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    onResize(next)
  }

  function drag({ clientX }: PointerEvent): void {
    if (from.current !== null) onResize(from.current.width + sign * (clientX - from.current.x))
  }

  return (
    <div
      className="splitter"
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={limits[column].least}
      aria-valuemax={limits[column].most}
      onKeyDown={press}
      onDoubleClick={() => onResize(null)}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        event.currentTarget.focus({ preventScroll: true })
        from.current = { x: event.clientX, width }
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        from.current = null
      }}
      onPointerCancel={() => {
        from.current = null
      }}
    />
  )
}
