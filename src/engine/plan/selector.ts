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
  const selector = selectorOf(input, retriever)
  const extractor = extractorOf(input, retriever, selector)
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

const wholeAnswer: Component = { type: 'DpathExtractor', field_path: [] }

/**
 * Airbyte: what a job prepared is taken apart by `download_extractor` alone; the selector's own is not asked.
 * A class of the connector's own gives records that nobody needs to look for.
 */
function extractorOf(input: PlanInput, retriever: Component, selector: Component): Component {
  switch (retriever.type) {
    case 'AsyncRetriever':
      return downloadExtractorOf(retriever)
    case 'CustomRetriever':
      return wholeAnswer
    default:
      return requiredComponentIn(input, selector, 'extractor')
  }
}

/** One that decodes by itself leaves nothing to look for. */
function downloadExtractorOf(retriever: Component): Component {
  const extractor = componentIn(retriever, 'download_extractor')
  return extractor === null || extractor.type === 'ResponseToFileExtractor' ? wholeAnswer : extractor
}

function selectorOf(input: PlanInput, retriever: Component): Component {
  if (retriever.type !== 'CustomRetriever') return requiredComponentIn(input, retriever, 'record_selector')
  return componentIn(retriever, 'record_selector') ?? { type: 'RecordSelector' }
}

/** Airbyte: what is filtered by its cursor here is filtered after the transformations, unless told otherwise. */
function isClientSide(stream: Component): boolean {
  return componentIn(stream, 'incremental_sync')?.is_client_side_incremental === true
}
