/** In place of a stored secret: that there is one, and how to enter another. */
import type { ControlProps } from '../fields/field.tsx'

export function StoredSecret({
  control,
  what,
  onReplace,
}: {
  readonly control: Partial<ControlProps>
  readonly what: string
  readonly onReplace: () => void
}) {
  return (
    <div className="stored-secret">
      <input {...control} className="input" value="Stored on this machine" readOnly />
      <button type="button" className="button quiet small" onClick={onReplace}>
        Replace<span className="hidden"> {what}</span>
      </button>
    </div>
  )
}
