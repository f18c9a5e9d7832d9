/** A few whole numbers in one line: `404, 410`. Emptied, the key goes. */
import { useState } from 'react'
import { useField } from '../session/use-field.ts'
import { Field, type FieldProps } from './field.tsx'
import { InYaml } from './in-yaml.tsx'
import { linesOf } from './lines-field.tsx'
import { numberOrText } from './number-field.tsx'

export function CodesField({ placeholder, ...field }: FieldProps & { placeholder?: string }) {
  const { value, set, remove } = useField(field.at)
  const [typed, setTyped] = useState<string | null>(null)
  const codes = linesOf(value)
  if (codes === null) return <InYaml what={field.label} />
  const written = codes.join(', ')
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          className="input mono"
          // What was typed stays as typed while it says the same: a comma waits for the next number.
          value={typed !== null && codesIn(typed).join(', ') === written ? typed : written}
          placeholder={placeholder}
          inputMode="numeric"
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => {
            setTyped(target.value)
            const next = codesIn(target.value).map((code) => numberOrText(code, undefined))
            if (next.length > 0) set(next)
            else remove()
          }}
          onBlur={() => setTyped(null)}
        />
      )}
    </Field>
  )
}

function codesIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((code) => code !== '')
}
