/** One end of the time that is read: a date, an input, or a template; with a format and limits where those are written. */
import { isObject } from '../../../std/values/objects.ts'
import type { FieldProps } from '../../fields/field.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { setInput } from '../../session/inputs.ts'
import { useField } from '../../session/use-field.ts'
import { useSessionStore } from '../../session/use-session.tsx'
import { moveToInput } from '../../settings/inputs/wished-input.ts'
import './bound-field.css'
import { FormatField } from './format-field.tsx'

export function BoundField(field: FieldProps) {
  const { value } = useField(field.at)
  const isWhole = isObject(value)
  const at = isWhole ? [...field.at, 'datetime'] : field.at
  return (
    <div className="bound-field">
      <div className="side-by-side">
        <TemplateField {...field} at={at} placeholder="2024-01-01T00:00:00Z" />
        {isWhole && (
          <FormatField
            at={[...field.at, 'datetime_format']}
            label={`Format of the ${field.label.toLowerCase()}`}
            help="Empty: as in requests."
          />
        )}
      </div>
      {isWhole && (value.min_datetime !== undefined || value.max_datetime !== undefined) && (
        <div className="side-by-side">
          <TemplateField at={[...field.at, 'min_datetime']} label="Not before" />
          <TemplateField at={[...field.at, 'max_datetime']} label="Not after" />
        </div>
      )}
      <UseInput at={at} name={field.label === 'Start' ? 'start_date' : 'end_date'} />
    </div>
  )
}

/** A date that is written out is the same for every run: mostly it should be an input. */
function UseInput({ at, name: wished }: { at: FieldProps['at']; name: string }) {
  const { value } = useField(at)
  const store = useSessionStore()
  if (typeof value !== 'string' || value === '' || value.includes('{{')) return null
  return (
    <button
      type="button"
      className="button quiet small"
      onClick={() => {
        const { name: connector, document } = store.get()
        const { text, name } = moveToInput(document.text, at, wished, false)
        store.edit(text)
        setInput(connector, name, value)
      }}
    >
      Make it an input
    </button>
  )
}
