/** A value as JSON text. What cannot be read yet is kept as typed, and the manifest as it was. */
import { useState } from 'react'
import { parseJson, stringifyJson } from '../../std/json.ts'
import { useField } from '../session/use-field.ts'
import { Field, type FieldProps } from './field.tsx'
import './json-field.css'

export type JsonFieldProps = FieldProps & {
  readonly placeholder?: string
  /** Emptied, the key stays, as an empty object. */
  readonly keepsEmpty?: boolean
}

export function JsonField({ placeholder, keepsEmpty = false, ...field }: JsonFieldProps) {
  const { value, set, remove } = useField(field.at)
  const [typed, setTyped] = useState<string | null>(null)
  const written = value === undefined ? '' : indented(value)
  const read = typed === null ? null : readJson(typed)
  // Changed elsewhere in between: what was typed here is out of date.
  const isCurrent =
    read !== null && (read.trouble !== null || stringifyJson(read.value) === stringifyJson(value ?? null))
  const trouble = isCurrent ? read.trouble : null
  return (
    <Field {...field}>
      {(control) => (
        <>
          <textarea
            {...control}
            aria-invalid={trouble !== null || control['aria-invalid']}
            className="input mono json-field"
            rows={3}
            value={isCurrent ? (typed ?? '') : written}
            placeholder={placeholder}
            spellCheck={false}
            onChange={({ target }) => {
              setTyped(target.value)
              const { value: changed, trouble: fault } = readJson(target.value)
              if (target.value.trim() === '' && !keepsEmpty) remove()
              else if (fault === null) set(changed)
            }}
            onBlur={() => trouble === null && setTyped(null)}
          />
          <p className="json-trouble" role="status">
            {trouble}
          </p>
        </>
      )}
    </Field>
  )
}

function readJson(text: string): { value: unknown; trouble: string | null } {
  try {
    return { value: parseJson(text.trim() === '' ? '{}' : text).value, trouble: null }
  } catch {
    return { value: undefined, trouble: 'This is not valid JSON yet; the manifest keeps the previous value.' }
  }
}

/** Two spaces deep, digits as they are. */
export function indented(value: unknown): string {
  const text = stringifyJson(value)
  let depth = 0
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[{\]},:]/gu, (token) => {
    const line = () => `\n${'  '.repeat(depth)}`
    if (token === '{' || token === '[') {
      depth++
      return token + line()
    }
    if (token === '}' || token === ']') {
      depth--
      return line() + token
    }
    if (token === ',') return token + line()
    return token === ':' ? ': ' : token
  })
}
