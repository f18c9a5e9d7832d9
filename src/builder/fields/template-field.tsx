/** A template in the manifest: coloured, completed, tried out in place. Emptied, the key goes. */
import { useState } from 'react'
import { lazyPart } from '../lazy-part.tsx'
import { useField } from '../session/use-field.ts'
import { TemplateInput } from '../templates/template-input.tsx'
import { placeOfTemplate, useTemplateNames } from '../templates/use-template-names.ts'
import { Field, type FieldProps } from './field.tsx'
import { shownText } from './text-field.tsx'

const Playground = lazyPart(() => import('../playground/playground.tsx').then((loaded) => loaded.Playground))

export type TemplateFieldProps = FieldProps & {
  readonly placeholder?: string
  /** What becomes of the value: text, or a condition. */
  readonly as?: 'string' | 'boolean'
  readonly isMultiline?: boolean
  /** Emptied, the key stays: its being there says something. */
  readonly keepsEmpty?: boolean
  /** What is written for what is typed, where that is not the text itself. */
  readonly toValue?: (typed: string, before: unknown) => unknown
}

export function TemplateField({
  placeholder,
  as = 'string',
  isMultiline = false,
  keepsEmpty = false,
  toValue = (typed) => typed,
  ...field
}: TemplateFieldProps) {
  const { value, set, remove } = useField(field.at)
  const [isTrying, setTrying] = useState(false)
  const place = placeOfTemplate(field.at)
  const names = useTemplateNames(place)
  const text = shownText(value)
  const write = (written: string) => (written === '' && !keepsEmpty ? remove() : set(toValue(written, value)))
  return (
    <Field {...field}>
      {(control) => {
        const close = () => {
          setTrying(false)
          document.getElementById(control.id)?.focus()
        }
        return (
          <>
            <TemplateInput
              control={control}
              value={text}
              onChange={write}
              names={names}
              placeholder={placeholder}
              isMultiline={isMultiline}
            >
              <button type="button" className="try" aria-expanded={isTrying} onClick={() => setTrying(!isTrying)}>
                try<span className="hidden"> {field.label}</span>
              </button>
            </TemplateInput>
            {isTrying && (
              <Playground
                label={field.label}
                value={text}
                as={as}
                place={place}
                onUse={(written) => {
                  write(written)
                  close()
                }}
                onClose={close}
              />
            )}
          </>
        )
      }}
    </Field>
  )
}
