/** A whole number, or a template that gives one. */
import { useField } from '../session/use-field.ts'
import { Field, type FieldProps } from './field.tsx'
import { shownText } from './text-field.tsx'

/** @param fallback what holds when nothing is written; it is shown, and not written. */
export function NumberField({
  fallback,
  placeholder,
  ...field
}: FieldProps & { fallback?: number; placeholder?: string }) {
  const { value, set, remove } = useField(field.at)
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          className="input mono"
          value={shownText(value)}
          placeholder={placeholder ?? fallback?.toString()}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => (target.value === '' ? remove() : set(numberOrText(target.value, value)))}
        />
      )}
    </Field>
  )
}

/**
 * Digits become a number, all else stays text. Digits in quotes were meant as text, by an author whose API wants
 * them so: they stay in quotes while they are changed.
 */
export function numberOrText(typed: string, before: unknown): number | string {
  const wasText = typeof before === 'string' && /^\d+$/.test(before)
  return /^-?(0|[1-9]\d*)$/.test(typed) && Number.isSafeInteger(Number(typed)) && !wasText ? Number(typed) : typed
}
