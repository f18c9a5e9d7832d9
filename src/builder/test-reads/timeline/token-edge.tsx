/** The left edge of the token column: dragged or moved by arrow keys to see whole tokens, set back by a double click or Enter. */
import { type KeyboardEvent, useRef } from 'react'

const limits = { least: 60, most: 600 }
const stepPx = 16

export function TokenEdge({
  width,
  onResize,
}: {
  /** Null for the usual width. */
  readonly width: number | null
  readonly onResize: (width: number | null) => void
}) {
  const from = useRef<{ x: number; width: number } | null>(null)
  const edge = useRef<HTMLSpanElement>(null)
  const shown = () => width ?? edge.current?.parentElement?.clientWidth ?? limits.least
  const put = (wanted: number) => onResize(Math.round(Math.min(limits.most, Math.max(limits.least, wanted))))
  const release = () => {
    from.current = null
  }

  function press(event: KeyboardEvent): void {
    if (event.key === 'Enter') onResize(null)
    else if (event.key === 'ArrowLeft') put(shown() + stepPx)
    else if (event.key === 'ArrowRight') put(shown() - stepPx)
    else return
    event.preventDefault()
  }

  return (
    <span
      ref={edge}
      className="token-edge"
      role="separator"
      tabIndex={0}
      aria-label="Width of the token column"
      aria-orientation="vertical"
      aria-valuenow={width ?? limits.least}
      aria-valuemin={limits.least}
      aria-valuemax={limits.most}
      aria-valuetext={width === null ? 'as usual' : `${width} pixels`}
      title="Drag to resize, double-click to set back"
      onKeyDown={press}
      onDoubleClick={() => onResize(null)}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        event.currentTarget.focus({ preventScroll: true })
        from.current = { x: event.clientX, width: shown() }
      }}
      onPointerMove={({ clientX }) => {
        if (from.current !== null) put(from.current.width - (clientX - from.current.x))
      }}
      onPointerUp={release}
      onPointerCancel={release}
    />
  )
}
