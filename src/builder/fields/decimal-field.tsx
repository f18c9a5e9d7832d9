/** A number that may have decimals, or a template that gives one. */
import { useState } from 'react'
import { useField } from '../session/use-field.ts'
import { Field, type FieldProps } from './field.tsx'
import { shownText } from './text-field.tsx'

export function DecimalField({ placeholder, ...field }: FieldProps & { placeholder?: string }) {
  const { value, set, remove } = useField(field.at)
  const [typed, setTyped] = useState<string | null>(null)
  const text = shownText(value)
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          className="input mono"
          // `1.` and `1.0` say what 1 says, and are on the way to something else.
          value={typed !== null && shownText(numberIn(typed)) === text ? typed : text}
          placeholder={placeholder}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => {
            setTyped(target.value)
            if (target.value === '') remove()
            else set(numberIn(target.value))
          }}
          onBlur={() => setTyped(null)}
        />
      )}
    </Field>
  )
}

function numberIn(typed: string): number | string {
  return /^-?\d+\.?\d*$/.test(typed) && typed.length < 16 ? Number(typed) : typed
}
