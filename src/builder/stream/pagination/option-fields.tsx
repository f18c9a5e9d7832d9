/** Where a value goes into the request, and under which name. */
import { changesBetween } from '../../../document/edit-resolved.ts'
import type { Path } from '../../../document/value-path.ts'
import { ChoiceField } from '../../fields/choice-field.tsx'
import { Field } from '../../fields/field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { NamesInput } from '../../fields/names-input.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { Worded } from '../../fields/inline-code.tsx'
import { useChanges } from '../../session/use-changes.ts'
import { useField } from '../../session/use-field.ts'
import {
  isInBody,
  isNested,
  placementNames,
  placeOf,
  places,
  type UsualPlace,
  usualQuery,
  withNames,
  withPlace,
} from './placement.ts'

const placeHelp: Record<string, string> = {
  request_parameter: 'As a query parameter.',
  header: 'As a header of the request.',
  body_json: 'In the JSON body.',
  body_data: 'In the form that is sent as the body.',
  path: 'The value is the whole address of the next request.',
  body: 'An older spelling of body_json.',
}

const bodyOfGet = 'A GET request has no body for most APIs: set the method to POST.'

/**
 * @param at the option in the manifest
 * @param usualName what it is called where nothing else is said
 * @param isGet whether what it goes into is asked with GET
 * @param usualPlace where such a value starts out
 * @param canBePath whether the value can be a whole address
 */
export function OptionFields({
  at,
  usualName,
  isGet,
  usualPlace = usualQuery,
  canBePath = false,
}: {
  at: Path
  usualName: string
  isGet: boolean
  usualPlace?: UsualPlace
  canBePath?: boolean
}) {
  const { value } = useField(at)
  const change = useChanges()
  const place = placeOf(value)
  const offered = canBePath ? [...places, 'path'] : places
  const put = (option: unknown) => change(changesBetween(at, value, option), at.join('/'))
  return (
    <div className="side-by-side">
      <ChoiceField
        at={place === 'path' ? at : [...at, 'inject_into']}
        label="Inject into"
        isRequired
        fallback={place}
        choices={offered.map((one) => ({ value: one, label: one }))}
        help={isGet && isInBody(value) ? bodyOfGet : placeHelp[place]}
        onChoose={(chosen) => put(withPlace(value, chosen, usualName))}
      />
      {place !== 'path' && <NameField at={at} option={value} place={place} under={usualPlace.under} onOption={put} />}
    </div>
  )
}

function NameField({
  at,
  option,
  place,
  under,
  onOption,
}: {
  at: Path
  option: unknown
  place: string
  under: UsualPlace['under']
  onOption: (option: unknown) => void
}) {
  const names = placementNames(option)
  const missing = names?.join('') === '' ? 'Field name is required.' : null
  if (names === null) return <InYaml what="Field name" />
  if (!isNested(place) && names.length < 2) {
    return <TemplateField at={[...at, 'field_name']} label="Field name" isRequired fault={missing} />
  }
  const example = [...(under.length > 0 ? under : ['page']), 'cursor'].join('.')
  return (
    <Field
      at={[...at, names.length > 1 ? 'field_path' : 'field_name']}
      label="Field name"
      isRequired
      fault={missing}
      help={<Worded text={`A dot leads into an object: \`${example}\`. Put a name that contains dots in quotes.`} />}
    >
      {(control) => (
        <NamesInput {...control} names={names} onNames={(changed) => onOption(withNames(option, changed))} />
      )}
    </Field>
  )
}
