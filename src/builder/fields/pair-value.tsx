/** The value of a pair: a template in the manifest, or text that waits for its name. */
import type { Path } from '../../document/value-path.ts'
import { useField } from '../session/use-field.ts'
import { TemplateInput } from '../templates/template-input.tsx'
import { placeOfTemplate, useTemplateNames } from '../templates/use-template-names.ts'
import { Field } from './field.tsx'
import { InYaml } from './in-yaml.tsx'
import type { PairRow } from './pair-rows.ts'
import { shownText } from './text-field.tsx'

export function PairValue({
  at,
  name,
  row,
  onDraft,
}: {
  at: Path
  name: string
  row: PairRow
  onDraft: (value: string) => void
}) {
  const place = [...at, row.key ?? '']
  const { value, set } = useField(place)
  const names = useTemplateNames(placeOfTemplate(place))
  const isWritten = row.key !== null
  if (isWritten && typeof value === 'object' && value !== null) return <InYaml what={name} why="is not one value." />
  return (
    <Field at={place} label={`Value of ${name}`} isLabelHidden>
      {(control) => (
        <TemplateInput
          control={control}
          value={isWritten ? shownText(value) : row.value}
          placeholder="value"
          names={names}
          onChange={isWritten ? set : onDraft}
        />
      )}
    </Field>
  )
}
