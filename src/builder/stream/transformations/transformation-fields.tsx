/** The fields of one step. */
import { isObject } from '../../../std/values/objects.ts'
import type { Path } from '../../../document/value-path.ts'
import { ClassField } from '../../fields/class-field.tsx'
import { ChoiceField } from '../../fields/choice-field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { NamesField } from '../../fields/names-field.tsx'
import { namesIn, textOfNames } from '../../fields/name-path.ts'
import { SwitchField } from '../../fields/switch-field.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { TextField } from '../../fields/text-field.tsx'
import { useField } from '../../session/use-field.ts'
import { ComponentList } from '../components/component-list.tsx'
import { newField, transformationNameOf } from './kinds.ts'
import { PointersField } from './pointers-field.tsx'

const valueTypes = [
  { value: '', label: 'as the template gives it' },
  ...['string', 'number', 'integer', 'boolean'].map((value) => ({ value, label: value })),
]

export function TransformationFields({ at, type }: { at: Path; type: unknown }) {
  switch (transformationNameOf(type)) {
    case 'AddFields':
      return (
        <>
          <ComponentList
            at={[...at, 'fields']}
            label="Fields"
            one="field"
            keepsEmpty
            offered={[{ label: 'Field', make: newField }]}
            titleOf={fieldTitle}
          >
            {(_, fieldAt) => <AddedField at={fieldAt} />}
          </ComponentList>
          <Condition at={at} />
        </>
      )
    case 'RemoveFields':
      return (
        <>
          <PointersField
            at={[...at, 'field_pointers']}
            label="Fields"
            isRequired
            help="One per line: customer.email. A star matches every name."
          />
          <Condition at={at} />
        </>
      )
    case 'KeysToLower':
    case 'KeysToSnakeCase':
      return null
    case 'KeysReplace':
      return (
        <div className="side-by-side">
          <TemplateField at={[...at, 'old']} label="Replace" isRequired keepsEmpty />
          <TemplateField at={[...at, 'new']} label="With" isRequired keepsEmpty />
        </div>
      )
    case 'FlattenFields':
      return (
        <SwitchField
          at={[...at, 'flatten_lists']}
          label="Flatten lists too"
          fallback
          help="Items become fields: tags.0"
        />
      )
    case 'DpathFlattenFields':
      return <OneFlattened at={at} />
    case 'CustomTransformation':
      return <ClassField at={at} type="CustomTransformation" />
    case null:
      return <InYaml what="This step" />
  }
}

function AddedField({ at }: { at: Path }) {
  const { set, remove } = useField([...at, 'value_type'])
  return (
    <>
      <div className="side-by-side">
        <NamesField at={[...at, 'path']} label="Field" isRequired keepsEmpty placeholder="customer.id" />
        <ChoiceField
          at={[...at, 'value_type']}
          label="Type"
          choices={valueTypes}
          onChoose={(type) => (type === '' ? remove() : set(type))}
        />
      </div>
      <TemplateField
        at={[...at, 'value']}
        label="Value"
        isRequired
        keepsEmpty
        placeholder="{{ stream_partition.parent_id }}"
        help="A template; it may use the record, the partition and the inputs."
      />
    </>
  )
}

function OneFlattened({ at }: { at: Path }) {
  return (
    <>
      <NamesField
        at={[...at, 'field_path']}
        label="Object"
        isRequired
        keepsEmpty
        help="Its fields move up to the record."
      />
      <SwitchField at={[...at, 'delete_origin_value']} label="Remove the object itself" />
      <SwitchField at={[...at, 'replace_record']} label="Drop all other fields" />
      <div className="side-by-side">
        <TextField at={[...at, 'key_transformation', 'prefix']} label="Prefix" help="Before each name." isCode />
        <TextField at={[...at, 'key_transformation', 'suffix']} label="Suffix" help="Added after each name." isCode />
      </div>
    </>
  )
}

function Condition({ at }: { at: Path }) {
  return (
    <TemplateField
      at={[...at, 'condition']}
      label="Condition"
      as="boolean"
      placeholder="{{ record.kind == 'order' }}"
      help="The step is applied if this is true; empty: always."
    />
  )
}

function fieldTitle(field: unknown): string {
  const names = namesIn(isObject(field) ? field.path : undefined)
  return names === null || names.length === 0 ? 'New field' : textOfNames(names)
}
