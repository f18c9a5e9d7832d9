/** Which records are kept. The filter is there as long as it has a condition. */
import { isObject } from '../../../std/values/objects.ts'
import type { Path } from '../../../document/value-path.ts'
import { Field } from '../../fields/field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { shownText } from '../../fields/text-field.tsx'
import { useChanges } from '../../session/use-changes.ts'
import { useField } from '../../session/use-field.ts'
import { TemplateInput } from '../../templates/template-input.tsx'
import { placeOfTemplate, useTemplateNames } from '../../templates/use-template-names.ts'

export function FilterField({ at }: { at: Path }) {
  const { value } = useField(at)
  const change = useChanges()
  const conditionAt = [...at, 'condition']
  const names = useTemplateNames(placeOfTemplate(conditionAt))
  const filter = isObject(value) ? value : {}
  if (filter.type !== undefined && filter.type !== 'RecordFilter') {
    return <InYaml what="The record filter" why="is a class of this connector." />
  }

  function write(condition: string): void {
    const changes =
      condition === ''
        ? [{ at, value: undefined }]
        : [
            { at: [...at, 'type'], value: 'RecordFilter' },
            { at: conditionAt, value: condition },
          ]
    change(changes, conditionAt.join('/'))
  }

  return (
    <Field
      at={conditionAt}
      label="Record filter"
      help="Records for which this is true are kept. Pages are counted before it, so it never ends pagination."
    >
      {(control) => (
        <TemplateInput
          control={control}
          value={shownText(filter.condition)}
          placeholder="{{ record.status == 'open' }}"
          names={names}
          onChange={write}
        />
      )}
    </Field>
  )
}
