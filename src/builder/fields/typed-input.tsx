/** An input whose text says a value: what was typed stays as typed while it says the same as what is written. */
import { type HTMLAttributes, useState } from 'react'
import type { ControlProps } from './field.tsx'

/**
 * A comma waits for the next number, an empty last line is about to be filled, `1.` is on the way to `1.5`.
 *
 * @param written what the manifest has, as it would be typed
 * @param sameAs what was typed, as it would be written
 */
export function TypedInput({
  control,
  written,
  sameAs,
  onTyped,
  placeholder,
  inputMode,
  isMultiline = false,
}: {
  control: ControlProps
  written: string
  sameAs: (typed: string) => string | null
  onTyped: (typed: string) => void
  placeholder?: string | undefined
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  isMultiline?: boolean
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed !== null && sameAs(typed) === written ? typed : written
  const shared = {
    ...control,
    value: shown,
    placeholder,
    spellCheck: false,
    onChange({ target }: { target: { value: string } }) {
      setTyped(target.value)
      onTyped(target.value)
    },
    onBlur: () => setTyped(null),
  }
  if (!isMultiline) return <input {...shared} className="input mono" inputMode={inputMode} autoComplete="off" />
  const rows = Math.min(8, Math.max(2, shown.split('\n').length))
  return <textarea {...shared} className="input mono lines-field" rows={rows} />
}
