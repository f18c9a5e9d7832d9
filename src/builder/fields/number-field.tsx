/** A whole number, checked as it is typed. */
import { useField } from '../session/use-field.ts'
import { Field, type FieldProps } from './field.tsx'
import { shownText } from './text-field.tsx'

export function NumberField(field: FieldProps) {
  const { value, set, remove } = useField(field.at)
  return (
    <Field {...field} fault={numberFault(shownText(value), { isRequired: field.isRequired })}>
      {(control) => (
        <input
          {...control}
          className="input mono"
          value={shownText(value)}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => (target.value === '' ? remove() : set(numberOrText(target.value, value)))}
        />
      )}
    </Field>
  )
}

type NumberRules = { readonly min?: number | undefined; readonly isRequired?: boolean | undefined }

/** What is wrong with a number as it is typed; null when nothing is. A template is checked by its value. */
export function numberFault(text: string, { min, isRequired = false }: NumberRules): string | null {
  const wanted = min === undefined ? 'a whole number' : `a whole number of ${min} or more`
  if (text === '') return isRequired ? `Enter ${wanted}, or a template.` : null
  if (text.includes('{{') || text.includes('{%')) return null
  if (!/^-?\d+$/.test(text)) return `This is not ${wanted}.`
  return min !== undefined && Number(text) < min ? `This must be ${wanted}.` : null
}

/**
 * Digits become a number, all else stays text. Digits in quotes were meant as text, by an author whose API wants
 * them so: they stay in quotes while they are changed.
 */
export function numberOrText(typed: string, before: unknown): number | string {
  const wasText = typeof before === 'string' && /^\d+$/.test(before)
  return /^-?(0|[1-9]\d*)$/.test(typed) && Number.isSafeInteger(Number(typed)) && !wasText ? Number(typed) : typed
}
