/** What can be done with one of several: moved among the others, removed. */

/** @param onMove absent where there is nothing to move among */
export function RowButtons({
  name,
  onMove,
  onRemove,
}: {
  name: string
  onMove?: ((by: -1 | 1) => void) | undefined
  onRemove: () => void
}) {
  return (
    <>
      {onMove !== undefined && (
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
    </>
  )
}
