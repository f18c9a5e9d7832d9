/** `record_selector` → where the records are, what to keep, how to change them. */
import type { Component } from '../manifest/manifest.ts'
import type { SelectorPlan } from './plan.ts'
import {
  compileAt,
  componentIn,
  componentsIn,
  parametersOf,
  type PlanInput,
  requiredComponentIn,
  templateIn,
} from './read-fields.ts'
import { planTransformation } from './transformations.ts'

export function planSelector(input: PlanInput, stream: Component, retriever: Component): SelectorPlan {
  const selector = requiredComponentIn(input, retriever, 'record_selector')
  const extractor = requiredComponentIn(input, selector, 'extractor')
  const filter = componentIn(selector, 'record_filter')
  const path = (extractor.field_path as readonly unknown[] | undefined) ?? []
  return {
    path: path.map((name, index) => compileAt(name, input.manifest.at(path, index))),
    keepIf: filter === null ? null : templateIn(input, filter, 'condition'),
    transformations: componentsIn(stream, 'transformations').map((component) => planTransformation(input, component)),
    transformFirst: (selector.transform_before_filtering ?? isClientSide(stream)) === true,
    fitsSchema: selector.schema_normalization === 'Default',
    parameters: { ...parametersOf(extractor), ...(filter === null ? {} : parametersOf(filter)) },
  }
}

/** Airbyte: what is filtered by its cursor here is filtered after the transformations, unless told otherwise. */
function isClientSide(stream: Component): boolean {
  return componentIn(stream, 'incremental_sync')?.is_client_side_incremental === true
}
