/** A few whole numbers in one line: `404, 410`. Emptied, the key goes. */
import { useField } from '../session/use-field.ts'
import { Field, type FieldProps } from './field.tsx'
import { InYaml } from './in-yaml.tsx'
import { listAsLines } from './lines-field.tsx'
import { numberOrText } from './number-field.tsx'
import { TypedInput } from './typed-input.tsx'

export function CodesField({ placeholder, ...field }: FieldProps & { placeholder?: string }) {
  const { value, set, remove } = useField(field.at)
  const codes = listAsLines(value)
  if (codes === null) return <InYaml what={field.label} />
  return (
    <Field {...field}>
      {(control) => (
        <TypedInput
          control={control}
          written={codes.join(', ')}
          sameAs={(typed) => codesIn(typed).join(', ')}
          placeholder={placeholder}
          inputMode="numeric"
          onTyped={(typed) => {
            const next = codesIn(typed).map((code) => numberOrText(code, undefined))
            if (next.length > 0) set(next)
            else remove()
          }}
        />
      )}
    </Field>
  )
}

function codesIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((code) => code !== '')
}
