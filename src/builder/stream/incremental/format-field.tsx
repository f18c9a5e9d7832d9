/** How a date is written, in Python's letters; the usual ones are offered. */
import { useId } from 'react'
import { Field, type FieldProps } from '../../fields/field.tsx'
import { shownText } from '../../fields/text-field.tsx'
import { useField } from '../../session/use-field.ts'
import './bound-field.css'

const usual: readonly (readonly [format: string, example: string])[] = [
  ['%Y-%m-%dT%H:%M:%SZ', '2024-01-31T08:30:00Z'],
  ['%Y-%m-%dT%H:%M:%S.%fZ', '2024-01-31T08:30:00.000000Z'],
  ['%Y-%m-%dT%H:%M:%S%z', '2024-01-31T08:30:00+0000'],
  ['%Y-%m-%d %H:%M:%S', '2024-01-31 08:30:00'],
  ['%Y-%m-%d', '2024-01-31'],
  ['%s', '1706689800'],
  ['%ms', '1706689800000'],
]

export function FormatField(field: FieldProps) {
  const { value, set, remove } = useField(field.at)
  const id = useId()
  const text = shownText(value)
  const example = usual.find(([format]) => format === text)?.[1]
  return (
    <Field
      {...field}
      help={
        <>
          {field.help} {example !== undefined && <code className="date-example">{example}</code>}
        </>
      }
    >
      {(control) => (
        <>
          <input
            {...control}
            className="input mono"
            list={`${id}-formats`}
            value={text}
            placeholder="%Y-%m-%dT%H:%M:%SZ"
            spellCheck={false}
            autoComplete="off"
            onChange={({ target }) => (target.value === '' ? remove() : set(target.value))}
          />
          <datalist id={`${id}-formats`}>
            {usual.map(([format, shown]) => (
              <option key={format} value={format}>
                {shown}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}
