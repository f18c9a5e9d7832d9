/** Yes or no. What holds anyway is not written. */
import { useField } from '../session/use-field.ts'
import { Field, type FieldProps } from './field.tsx'
import { shownText } from './text-field.tsx'

export function SwitchField({ fallback = false, ...field }: FieldProps & { fallback?: boolean }) {
  const { value, set, remove } = useField(field.at)
  return (
    <Field {...field} isRequired className="switch-field">
      {(control) =>
        isTruth(value) ? (
          <input
            {...control}
            aria-required={undefined}
            type="checkbox"
            role="switch"
            className="switch"
            checked={value ?? fallback}
            onChange={({ target }) => (target.checked === fallback ? remove() : set(target.checked))}
          />
        ) : (
          // A template decides: shown as it is, and changed only by typing.
          <input
            {...control}
            className="input mono"
            value={shownText(value)}
            onChange={({ target }) => (target.value === '' ? remove() : set(target.value))}
          />
        )
      }
    </Field>
  )
}

function isTruth(value: unknown): value is boolean | null | undefined {
  return value === undefined || value === null || typeof value === 'boolean'
}
