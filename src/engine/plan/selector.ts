/** `record_selector` and `transformations` → where the records are, what to keep, how to change them. */
import type { Component } from '../manifest/manifest.ts'
import type { SelectorPlan, TransformationPlan, ValueType } from './plan.ts'
import {
  compileAt,
  componentIn,
  componentsIn,
  parametersOf,
  type PlanInput,
  requiredComponentIn,
  requiredTemplateIn,
  templateIn,
  unsupported,
} from './read-fields.ts'

export function planSelector(input: PlanInput, stream: Component, retriever: Component): SelectorPlan {
  const selector = requiredComponentIn(input, retriever, 'record_selector')
  const extractor = requiredComponentIn(input, selector, 'extractor')
  const filter = componentIn(selector, 'record_filter')
  const path = (extractor.field_path as readonly unknown[] | undefined) ?? []
  return {
    path: path.map((name, index) => compileAt(name, input.manifest.at(path, index))),
    keepIf: filter === null ? null : templateIn(input, filter, 'condition'),
    transformations: componentsIn(stream, 'transformations').map((component) => planTransformation(input, component)),
    transformFirst: selector.transform_before_filtering === true,
    parameters: { ...parametersOf(extractor), ...(filter === null ? {} : parametersOf(filter)) },
  }
}

function planTransformation(input: PlanInput, component: Component): TransformationPlan {
  const parameters = parametersOf(component)
  const onlyIf = templateIn(input, component, 'condition')
  switch (component.type) {
    case 'AddFields':
      return {
        kind: 'add',
        fields: componentsIn(component, 'fields').map((field) => planField(input, field)),
        onlyIf,
        parameters,
      }
    case 'RemoveFields':
      return { kind: 'remove', paths: (component.field_pointers ?? []) as string[][], onlyIf, parameters }
    default:
      throw unsupported(input, component)
  }
}

function planField(input: PlanInput, field: Component) {
  const path = field.path as readonly unknown[]
  return {
    path: path.map((name, index) => compileAt(name, input.manifest.at(path, index))),
    value: requiredTemplateIn(input, field, 'value'),
    type: (field.value_type as ValueType | undefined) ?? null,
  }
}
