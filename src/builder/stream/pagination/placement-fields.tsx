/** Whether and where a paging value goes into the request. */
import { changesBetween } from '../../document/changes.ts'
import type { Path } from '../../document/path.ts'
import { ChoiceField } from '../../fields/choice-field.tsx'
import { Field } from '../../fields/field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { NamesInput } from '../../fields/names-input.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { Toggle } from '../../fields/toggle.tsx'
import { Worded } from '../../fields/worded.tsx'
import { useRemembered } from '../../session/remembered.ts'
import { useChanges } from '../../session/use-changes.ts'
import { useField } from '../../session/use-field.ts'
import { usualOption } from './change-method.ts'
import { type Method, methodFacts } from './methods.ts'
import { isNested, namesOf, placeOf, places, withNames, withPlace } from './placement.ts'

const placeHelp: Record<string, string> = {
  request_parameter: 'In the query, behind the path.',
  header: 'As a header of the request.',
  body_json: 'In the JSON body.',
  body_data: 'In the form that is sent as the body.',
  path: 'The value is the whole address of the next request.',
  body: 'An older spelling of body_json.',
}

const bodyOfGet = 'A GET request has no body for most APIs: set the method to POST.'

/**
 * @param at the option in the manifest
 * @param isGet whether the stream asks with GET
 */
export function PlacementFields({
  at,
  method,
  what,
  isGet,
}: {
  at: Path
  method: Method
  what: 'size' | 'token'
  isGet: boolean
}) {
  const { value, set, remove } = useField(at)
  const { recall, remember } = useRemembered()
  const change = useChanges()
  const { word, usualName } = methodFacts[method][what]
  const place = placeOf(value)
  const canBePath = what === 'token' && (method === 'CursorPagination' || method === 'CustomPaginationStrategy')
  const offered = canBePath ? [...places, 'path'] : places
  const put = (option: unknown) => change(changesBetween(at, value, option), at.join('/'))
  return (
    <Toggle
      label={`Inject ${word} into outgoing HTTP request`}
      help={value === undefined || value === null ? <Worded text={offHelp(what, word)} /> : undefined}
      isOn={value !== undefined && value !== null}
      onSwitch={(isOn) => {
        if (isOn) return set(recall(at) ?? usualOption(method, what))
        remember(value, at)
        remove()
      }}
    >
      <div className="side-by-side">
        <ChoiceField
          at={place === 'path' ? at : [...at, 'inject_into']}
          label="Inject into"
          isRequired
          fallback={place}
          choices={offered.map((one) => ({ value: one, label: one }))}
          help={isGet && place.startsWith('body') ? bodyOfGet : placeHelp[place]}
          onChoose={(chosen) => put(withPlace(value, chosen, usualName))}
        />
        {place !== 'path' && <NameField at={at} option={value} place={place} onOption={put} />}
      </div>
    </Toggle>
  )
}

function NameField({
  at,
  option,
  place,
  onOption,
}: {
  at: Path
  option: unknown
  place: string
  onOption: (option: unknown) => void
}) {
  const names = namesOf(option)
  if (names === null) return <InYaml what="Field name" />
  if (!isNested(place) && names.length < 2) {
    return <TemplateField at={[...at, 'field_name']} label="Field name" isRequired />
  }
  return (
    <Field
      at={[...at, names.length > 1 ? 'field_path' : 'field_name']}
      label="Field name"
      isRequired
      help={<Worded text="A dot leads into an object: `page.cursor`. A name with dots of its own stands in quotes." />}
    >
      {(control) => (
        <NamesInput {...control} names={names} onNames={(changed) => onOption(withNames(option, changed))} />
      )}
    </Field>
  )
}

function offHelp(what: 'size' | 'token', word: string): string {
  return what === 'size'
    ? `The ${word} only tells which page is the last.`
    : `Put it into the request yourself, as \`{{ next_page_token['next_page_token'] }}\`.`
}
