/** A line of text in the manifest. Emptied, the key goes. */
import { stringifyJson } from '../../std/json.ts'
import { useField } from '../session/use-field.ts'
import { Field, type FieldProps } from './field.tsx'

export function TextField({
  placeholder,
  isCode = false,
  ...field
}: FieldProps & { placeholder?: string; isCode?: boolean }) {
  const { value, set, remove } = useField(field.at)
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          className={isCode ? 'input mono' : 'input'}
          value={shownText(value)}
          placeholder={placeholder}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => (target.value === '' ? remove() : set(target.value))}
        />
      )}
    </Field>
  )
}

/** What a line of text can show of a value. */
export function shownText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : stringifyJson(value)
}
