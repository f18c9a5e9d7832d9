/** A number that may have decimals, or a template that gives one. */
import { useField } from '../session/use-field.ts'
import { Field, type FieldProps } from './field.tsx'
import { shownText } from './text-field.tsx'
import { TypedInput } from './typed-input.tsx'

export function DecimalField({ placeholder, ...field }: FieldProps & { placeholder?: string }) {
  const { value, set, remove } = useField(field.at)
  return (
    <Field {...field}>
      {(control) => (
        <TypedInput
          control={control}
          written={shownText(value)}
          sameAs={(typed) => shownText(numberIn(typed))}
          placeholder={placeholder}
          onTyped={(typed) => (typed === '' ? remove() : set(numberIn(typed)))}
        />
      )}
    </Field>
  )
}

function numberIn(typed: string): number | string {
  return /^-?\d+\.?\d*$/.test(typed) && typed.length < 16 ? Number(typed) : typed
}
