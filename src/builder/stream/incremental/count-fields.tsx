/** A cursor that counts: records after the highest number seen. */
import type { Path } from '../../../document/value-path.ts'
import { NumberField } from '../../fields/number-field.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { InjectionToggle } from '../components/injection-toggle.tsx'

export function CountFields({ at, isGet }: { at: Path; isGet: boolean }) {
  return (
    <>
      <div className="side-by-side">
        <TemplateField at={[...at, 'cursor_field']} label="Cursor field" isRequired help="A number that only grows." />
        <NumberField at={[...at, 'start_value']} label="Start value" fallback={0} help="Where the first read begins." />
      </div>
      <InjectionToggle
        at={[...at, 'start_value_option']}
        what="start value"
        usualName="since_id"
        isGet={isGet}
        help="Without it every record is read, and older ones are dropped."
      />
    </>
  )
}
