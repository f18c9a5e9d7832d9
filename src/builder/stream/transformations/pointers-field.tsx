/** A list of paths into a record, one a line. */
import { useState } from 'react'
import type { FieldProps } from '../../fields/field.tsx'
import { Field } from '../../fields/field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { namesFrom, namesIn, textOfNames } from '../../fields/names.ts'
import { useField } from '../../session/use-field.ts'

export function PointersField(field: FieldProps) {
  const { value, set } = useField(field.at)
  const [typed, setTyped] = useState<string | null>(null)
  const written = textOf(value)
  if (written === null) return <InYaml what={field.label} />
  const shown = typed !== null && textOf(pointersIn(typed)) === written ? typed : written
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          className="input mono lines-field"
          rows={Math.min(8, Math.max(2, shown.split('\n').length))}
          value={shown}
          placeholder="customer.email"
          spellCheck={false}
          onChange={({ target }) => {
            setTyped(target.value)
            set(pointersIn(target.value))
          }}
          onBlur={() => setTyped(null)}
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
