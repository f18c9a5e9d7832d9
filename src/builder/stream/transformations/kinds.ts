/** The steps that can be done to a record: what each is called, and what it starts with. */
import { isObject, type Members } from '../../../std/values/objects.ts'

type Kind = { readonly label: string; readonly start: Members }

export function newField() {
  return { type: 'AddedFieldDefinition', path: [], value: '' }
}

export const transformationKinds = {
  AddFields: { label: 'Add fields', start: { fields: [newField()] } },
  RemoveFields: { label: 'Remove fields', start: { field_pointers: [] } },
  KeysToLower: { label: 'Names to lower case', start: {} },
  KeysToSnakeCase: { label: 'Names to snake case', start: {} },
  KeysReplace: { label: 'Replace in names', start: { old: ' ', new: '_' } },
  FlattenFields: { label: 'Flatten all objects', start: {} },
  DpathFlattenFields: { label: 'Flatten one object', start: { field_path: [] } },
  CustomTransformation: { label: 'Custom', start: { class_name: '' } },
} as const satisfies Record<string, Kind>

export type TransformationName = keyof typeof transformationKinds

export function transformationNameOf(type: unknown): TransformationName | null {
  return typeof type === 'string' && Object.hasOwn(transformationKinds, type) ? (type as TransformationName) : null
}

export function transformationTitle(step: unknown): string {
  const { type, class_name: className } = isObject(step) ? step : {}
  const name = transformationNameOf(type ?? (className === undefined ? undefined : 'CustomTransformation'))
  return name === null ? 'Step' : transformationKinds[name].label
}
