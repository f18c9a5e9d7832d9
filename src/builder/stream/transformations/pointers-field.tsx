/** A list of paths into a record, one a line. */
import { type FieldProps, Field } from '../../fields/field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { TypedInput } from '../../fields/typed-input.tsx'
import { namesFrom, namesIn, textOfNames } from '../../fields/name-path.ts'
import { useField } from '../../session/use-field.ts'

export function PointersField(field: FieldProps) {
  const { value, set } = useField(field.at)
  const written = textOf(value)
  if (written === null) return <InYaml what={field.label} />
  return (
    <Field {...field}>
      {(control) => (
        <TypedInput
          control={control}
          written={written}
          sameAs={(typed) => textOf(pointersIn(typed))}
          placeholder="customer.email"
          isMultiline
          onTyped={(typed) => set(pointersIn(typed))}
        />
      )}
    </Field>
  )
}

function pointersIn(text: string): string[][] {
  return text
    .split('\n')
    .map(namesFrom)
    .filter((names) => names.length > 0)
}

/** Null for what cannot be shown as lines. */
function textOf(pointers: unknown): string | null {
  if (pointers === undefined || pointers === null) return ''
  if (!Array.isArray(pointers)) return null
  const lines = pointers.map((pointer) => namesIn(pointer))
  return lines.every((names) => names !== null) ? lines.map(textOfNames).join('\n') : null
}
