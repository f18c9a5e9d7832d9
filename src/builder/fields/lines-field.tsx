/** A list of short strings, one per line. When it is empty, the key is removed. */
import { useField } from '../session/use-field.ts'
import { Field, type FieldProps } from './field.tsx'
import { InYaml } from './in-yaml.tsx'
import { numberOrText } from './number-field.tsx'
import { shownText } from './text-field.tsx'
import { TypedInput } from './typed-input.tsx'

/** @param isNumbers digits are written as numbers, where the manifest wants those */
export function LinesField({
  isNumbers = false,
  keepsEmpty = false,
  placeholder,
  ...field
}: FieldProps & { isNumbers?: boolean; keepsEmpty?: boolean; placeholder?: string }) {
  const { value, set, remove } = useField(field.at)
  const lines = listAsLines(value)
  if (lines === null) return <InYaml what={field.label} />
  const areNumbers = isNumbers || (lines.length > 0 && isListOfNumbers(value))
  return (
    <Field {...field}>
      {(control) => (
        <TypedInput
          control={control}
          written={lines.join('\n')}
          sameAs={(typed) => linesIn(typed).join('\n')}
          placeholder={placeholder}
          isMultiline
          onTyped={(typed) => {
            const next = linesIn(typed).map((line) => (areNumbers ? numberOrText(line, undefined) : line))
            if (next.length > 0 || keepsEmpty) set(next)
            else remove()
          }}
        />
      )}
    </Field>
  )
}

/** Null for what is no list of single values. */
export function listAsLines(value: unknown): string[] | null {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.some((one) => typeof one === 'object' && one !== null)) return null
  const lines = value.map(shownText)
  return lines.some((line) => line.includes('\n')) ? null : lines
}

function isListOfNumbers(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'number')
}

function linesIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
