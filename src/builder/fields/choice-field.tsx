/** One of a few values. */
import { useField } from '../session/use-field.ts'
import { Field, type FieldProps } from './field.tsx'

export type FieldOption = { readonly value: string; readonly label: string }

/** @param onChoose instead of writing the value, where a choice changes more than one key. */
export function ChoiceField({
  choices,
  fallback,
  onChoose,
  ...field
}: FieldProps & { choices: readonly FieldOption[]; fallback?: string; onChoose?: (value: string) => void }) {
  const { value, set } = useField(field.at)
  const chosen = typeof value === 'string' ? value : (fallback ?? '')
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          className="input"
          value={chosen}
          onChange={({ target }) => (onChoose ?? set)(target.value)}
        >
          {choices.some((choice) => choice.value === chosen) || <option value={chosen}>{chosen || 'Choose'}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
