/** A whole number, or a template that gives one: completed and tried out as every template, and checked as it is typed. */
import { useField } from '../session/use-field.ts'
import { numberFault, numberOrText } from './number-field.tsx'
import { TemplateField } from './template-field.tsx'
import type { FieldProps } from './field.tsx'
import { shownText } from './text-field.tsx'

export type NumberTemplateFieldProps = FieldProps & {
  /** What holds when nothing is written; it is shown, and not written. */
  readonly fallback?: number
  readonly placeholder?: string
  /** The least that makes sense. */
  readonly min?: number
}

export function NumberTemplateField({ fallback, placeholder, min, ...field }: NumberTemplateFieldProps) {
  const { value } = useField(field.at)
  const shown = placeholder ?? fallback?.toString()
  return (
    <TemplateField
      {...field}
      fault={numberFault(shownText(value), { min, isRequired: field.isRequired })}
      toValue={numberOrText}
      {...(shown !== undefined && { placeholder: shown })}
    />
  )
}
