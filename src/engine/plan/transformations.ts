/** `transformations` → how each record is changed. */
import type { SourceLocation } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { Component } from '../manifest/manifest.ts'
import type { Template } from '../template/template.ts'
import type { Parameters } from './plan.ts'
import {
  compileAt,
  componentIn,
  componentsIn,
  parametersOf,
  type PlanInput,
  requiredTemplateIn,
  templateIn,
  unsupported,
  planCustom,
} from './read-fields.ts'

export type TransformationPlan =
  | AddFieldsPlan
  | RemoveFieldsPlan
  | { readonly kind: 'keys-to-lower' }
  | { readonly kind: 'keys-to-snake-case' }
  | ReplaceInKeysPlan
  | { readonly kind: 'flatten'; readonly lists: boolean }
  | FlattenAtPlan
  | ({ readonly kind: 'custom' } & CustomPlan)

export type AddFieldsPlan = {
  readonly kind: 'add'
  readonly fields: readonly AddedFieldPlan[]
  readonly onlyIf: Template | null
  readonly parameters: Parameters
}

export type AddedFieldPlan = {
  readonly at: SourceLocation
  readonly path: readonly string[]
  readonly value: Template
  readonly type: ValueType | null
  readonly parameters: Parameters
}

export type RemoveFieldsPlan = {
  readonly kind: 'remove'
  readonly paths: readonly (readonly string[])[]
  readonly onlyIf: Template | null
}

export type ReplaceInKeysPlan = {
  readonly kind: 'replace-in-keys'
  readonly old: Template
  readonly new: Template
  readonly parameters: Parameters
}

/** The fields of the object at a path become fields of the record. */
export type FlattenAtPlan = {
  readonly kind: 'flatten-at'
  readonly path: readonly Template[]
  readonly deletesOrigin: boolean
  readonly replacesRecord: boolean
  readonly prefix: Template | null
  readonly suffix: Template | null
  readonly parameters: Parameters
}

export type ValueType = 'string' | 'number' | 'integer' | 'boolean'

export function planTransformation(input: PlanInput, component: Component): TransformationPlan {
  const parameters = parametersOf(component)
  switch (component.type) {
    case 'AddFields': {
      const fields = componentsIn(component, 'fields').map((field) => planField(input, field))
      return { kind: 'add', fields, onlyIf: conditionIn(input, component), parameters }
    }
    case 'RemoveFields': {
      const paths = (component.field_pointers ?? []) as string[][]
      return { kind: 'remove', paths, onlyIf: conditionIn(input, component) }
    }
    case 'KeysToLower':
      return { kind: 'keys-to-lower' }
    case 'KeysToSnakeCase':
      return { kind: 'keys-to-snake-case' }
    case 'KeysReplace':
      return {
        kind: 'replace-in-keys',
        old: requiredTemplateIn(input, component, 'old'),
        new: requiredTemplateIn(input, component, 'new'),
        parameters,
      }
    case 'FlattenFields':
      return { kind: 'flatten', lists: component.flatten_lists !== false }
    case 'DpathFlattenFields':
      return planFlattenAt(input, component)
    case 'CustomTransformation':
      return { kind: 'custom', ...planCustom(input, component) }
    default:
      throw unsupported(input, component)
  }
}

/** An empty condition is none. */
export function conditionIn(input: PlanInput, component: Component): Template | null {
  return component.condition === '' ? null : templateIn(input, component, 'condition')
}

/** Airbyte: the path is taken as it is written; only the value is a template. */
export function planField(input: PlanInput, field: Component): AddedFieldPlan {
  return {
    at: input.manifest.at(field),
    path: field.path as readonly string[],
    value: requiredTemplateIn(input, field, 'value'),
    type: (field.value_type as ValueType | undefined) ?? null,
    parameters: parametersOf(field),
  }
}

function planFlattenAt(input: PlanInput, component: Component): FlattenAtPlan {
  const path = component.field_path as readonly unknown[]
  const affixes = componentIn(component, 'key_transformation') ?? {}
  return {
    kind: 'flatten-at',
    path: path.map((name, index) => compileAt(name, input.manifest.at(path, index))),
    deletesOrigin: component.delete_origin_value === true,
    replacesRecord: component.replace_record === true,
    prefix: templateIn(input, affixes, 'prefix'),
    suffix: templateIn(input, affixes, 'suffix'),
    parameters: parametersOf(component),
  }
}
