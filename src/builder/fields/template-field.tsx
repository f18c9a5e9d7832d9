/** A template in the manifest: coloured, completed. Emptied, the key goes. */
import { useField } from '../session/use-field.ts'
import { TemplateInput } from '../template/template-input.tsx'
import { placeOfTemplate, useTemplateNames } from '../template/use-template-names.ts'
import { Field, type FieldProps } from './field.tsx'
import { shownText } from './text-field.tsx'

export type TemplateFieldProps = FieldProps & {
  readonly placeholder?: string
  /** What becomes of the value: text, or a condition. */
  readonly as?: 'string' | 'boolean'
  readonly isMultiline?: boolean
  /** Emptied, the key stays: its being there says something. */
  readonly keepsEmpty?: boolean
}

export function TemplateField({
  placeholder,
  as = 'string',
  isMultiline = false,
  keepsEmpty = false,
  ...field
}: TemplateFieldProps) {
  const { value, set, remove } = useField(field.at)
  const names = useTemplateNames(placeOfTemplate(field.at))
  void as
  return (
    <Field {...field}>
      {(control) => (
        <TemplateInput
          control={control}
          value={shownText(value)}
          onChange={(text) => (text === '' && !keepsEmpty ? remove() : set(text))}
          names={names}
          placeholder={placeholder}
          isMultiline={isMultiline}
        />
      )}
    </Field>
  )
}
