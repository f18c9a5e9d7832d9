/** `record_selector` → where the records are, what to keep, how to change them. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { Component } from '../manifest/manifest.ts'
import type { Template } from '../template/template.ts'
import type { Parameters } from './plan.ts'
import {
  compileAt,
  componentIn,
  componentsIn,
  type Fields,
  parametersOf,
  type PlanInput,
  requiredComponentIn,
  templateIn,
  planCustom,
} from './read-fields.ts'
import { planTransformation, type TransformationPlan } from './transformations.ts'

export type SelectorPlan = {
  readonly extractor: ExtractorPlan
  readonly filter: FilterPlan | null
  readonly transformations: readonly TransformationPlan[]
  readonly transformFirst: boolean
  /** Whether, and by whom, values are made to fit the stream's schema. */
  readonly normalization: NormalizationPlan
}

export type ExtractorPlan =
  | {
      readonly kind: 'path'
      /** Names to follow into the response; `*` is every member. */
      readonly path: readonly Template[]
      readonly expansion: ExpansionPlan | null
      readonly parameters: Parameters
    }
  | {
      readonly kind: 'combined'
      readonly members: readonly ExtractorPlan[]
      /** Whether only the first one that finds a record counts. */
      readonly isFirstMatch: boolean
      /** Whether `null`, `{}`, `[]` and `""` are left out. */
      readonly skipsEmpty: boolean
    }
  | ({ readonly kind: 'custom' } & CustomPlan)

/** What was extracted is replaced by the items of the lists inside it. */
export type ExpansionPlan = {
  readonly path: readonly Template[]
  /** Whether each item carries what it was found in, as `original_record`. */
  readonly keepsOriginal: boolean
  /** Whether each item carries the members of what it was found in, other than the list. */
  readonly mergesOriginal: boolean
  /** Values of what it was found in that each item carries, and where. */
  readonly copies: readonly CopyPlan[]
  /** Whether what holds no item is a record itself. */
  readonly keepsEmpty: boolean
  /** Where the API says that the list inside is cut short; null where the manifest names no such place. */
  readonly truncation: TruncationPlan | null
  readonly parameters: Parameters
}

export type TruncationPlan = {
  readonly indicator: readonly Template[]
  /** Reads the whole list; null where there is no way to get it. */
  readonly retriever: Component | null
}

export type CopyPlan = {
  readonly from: readonly Template[]
  readonly to: readonly Template[]
  readonly parameters: Parameters
  readonly at: SourceLocation
}

export type FilterPlan =
  | { readonly kind: 'condition'; readonly keepIf: Template; readonly parameters: Parameters }
  | ({ readonly kind: 'custom' } & CustomPlan)

export type NormalizationPlan =
  | { readonly kind: 'none' }
  /** Each value is cast to the type that the schema gives its field. */
  | { readonly kind: 'cast' }
  | ({ readonly kind: 'custom' } & CustomPlan)

export function planSelector(input: PlanInput, stream: Component, retriever: Component): SelectorPlan {
  const selector = selectorOf(input, retriever)
  const extractor = planExtractor(input, extractorOf(input, retriever, selector))
  if (addsUp(extractor) && countsOffsets(retriever)) {
    const message = 'An OffsetIncrement cannot count the records of a CombinedExtractor that unites several lists.'
    throw new ConnectorError('manifest/unsupported-component', message, {
      at: input.manifest.at(selector, 'extractor'),
      hint: 'Use another pagination strategy, or the mode `first_match`: the sum of the lists would skip records.',
    })
  }
  return {
    extractor,
    filter: planFilter(input, componentIn(selector, 'record_filter')),
    transformations: componentsIn(stream, 'transformations').map((component) => planTransformation(input, component)),
    transformFirst: (selector.transform_before_filtering as boolean | undefined | null) ?? filtersByTime(stream),
    normalization: planNormalization(input, selector),
  }
}

function addsUp(plan: ExtractorPlan): boolean {
  return plan.kind === 'combined' && (!plan.isFirstMatch || plan.members.some(addsUp))
}

function countsOffsets(retriever: Component): boolean {
  const paginator = componentIn(retriever, 'paginator')
  return paginator !== null && componentIn(paginator, 'pagination_strategy')?.type === 'OffsetIncrement'
}

/** The custom classes that extract records. */
export function extractorClassesIn(plan: ExtractorPlan): CustomPlan[] {
  if (plan.kind === 'combined') return plan.members.flatMap(extractorClassesIn)
  return plan.kind === 'custom' ? [plan] : []
}

const wholeResponse: Component = { type: 'DpathExtractor', field_path: [] }

/**
 * Airbyte: records of a job are extracted by `download_extractor` alone; the selector's extractor is not used.
 * A custom retriever returns records that need no extracting.
 */
function extractorOf(input: PlanInput, retriever: Component, selector: Component): Component {
  switch (retriever.type) {
    case 'AsyncRetriever':
      return downloadExtractorOf(retriever)
    case 'CustomRetriever':
      return wholeResponse
    default:
      return requiredComponentIn(input, selector, 'extractor')
  }
}

/** An extractor that decodes by itself leaves nothing to extract. */
function downloadExtractorOf(retriever: Component): Component {
  const extractor = componentIn(retriever, 'download_extractor')
  return extractor === null || extractor.type === 'ResponseToFileExtractor' ? wholeResponse : extractor
}

function selectorOf(input: PlanInput, retriever: Component): Component {
  if (retriever.type !== 'CustomRetriever') return requiredComponentIn(input, retriever, 'record_selector')
  return componentIn(retriever, 'record_selector') ?? { type: 'RecordSelector' }
}

/** Airbyte: a stream that drops records by their time filters after the transformations. */
function filtersByTime(stream: Component): boolean {
  return componentIn(stream, 'incremental_sync')?.is_client_side_incremental === true
}

export function planExtractor(input: PlanInput, extractor: Component): ExtractorPlan {
  if (extractor.type === 'CustomRecordExtractor') return { kind: 'custom', ...planCustom(input, extractor) }
  if (extractor.type === 'CombinedExtractor') {
    return {
      kind: 'combined',
      members: componentsIn(extractor, 'extractors').map((member) => planExtractor(input, member)),
      isFirstMatch: extractor.mode === 'first_match',
      skipsEmpty: extractor.skip_empty_records === true,
    }
  }
  refusePatterns(input, extractor)
  return {
    kind: 'path',
    path: pathIn(input, extractor, 'field_path'),
    expansion: planExpansion(input, componentIn(extractor, 'record_expander')),
    parameters: parametersOf(extractor),
  }
}

/** Airbyte matches `**` and `item_*` too, and fails unless there is exactly one match. Here they would match nothing, without an error. */
function refusePatterns(input: PlanInput, extractor: Component): void {
  const path = (extractor.field_path as readonly string[] | undefined | null) ?? []
  const index = path.findIndex((name) => /^[^{]*\*/.test(name) && name !== '*')
  if (index === -1) return
  const message = `\`field_path\` has the pattern \`${path[index]}\`; only \`*\` alone is supported.`
  throw new ConnectorError('manifest/invalid-value', message, {
    at: input.manifest.at(path, index),
    hint: 'Write out the names that lead to the records; `*` matches any name or position at one level.',
  })
}

function planExpansion(input: PlanInput, expander: Component | null): ExpansionPlan | null {
  if (expander === null) return null
  return {
    path: pathIn(input, expander, 'expand_records_from_field'),
    keepsOriginal: expander.remain_original_record === true,
    mergesOriginal: expander.merge_parent === true,
    copies: componentsIn(expander, 'parent_fields').map((copy) => ({
      from: pathIn(input, copy, 'parent_path'),
      to: pathIn(input, copy, 'record_path'),
      parameters: parametersOf(copy),
      at: input.manifest.at(copy),
    })),
    keepsEmpty: expander.on_no_records === 'emit_parent',
    truncation: planTruncation(input, expander),
    parameters: parametersOf(expander),
  }
}

function planTruncation(input: PlanInput, expander: Component): TruncationPlan | null {
  const retriever = componentIn(expander, 'truncated_list_retriever')
  const indicator = pathIn(input, expander, 'truncation_indicator_path')
  if (indicator.length === 0 && retriever === null) return null
  if (indicator.length === 0) {
    const message = 'The RecordExpander has a `truncated_list_retriever` and no `truncation_indicator_path`.'
    const hint = 'Add `truncation_indicator_path`: the field that says that a list is cut short.'
    throw new ConnectorError('manifest/missing-field', message, { at: input.manifest.at(expander), hint })
  }
  refuseWildcards(input, expander, 'truncation_indicator_path')
  if (retriever !== null) refuseWildcards(input, expander, 'expand_records_from_field')
  return { indicator, retriever }
}

function refuseWildcards(input: PlanInput, expander: Component, field: string): void {
  const path = expander[field] as readonly string[]
  if (!path.includes('*')) return
  const message = `\`${field}\` has a \`*\`; a list that may be cut short must be at one place.`
  throw new ConnectorError('manifest/invalid-value', message, { at: input.manifest.at(expander, field) })
}

export function planFilter(input: PlanInput, filter: Component | null): FilterPlan | null {
  if (filter === null) return null
  if (filter.type === 'CustomRecordFilter') return { kind: 'custom', ...planCustom(input, filter) }
  // An empty condition is none.
  const keepIf = filter.condition === '' ? null : templateIn(input, filter, 'condition')
  return keepIf === null ? null : { kind: 'condition', keepIf, parameters: parametersOf(filter) }
}

function planNormalization(input: PlanInput, selector: Component): NormalizationPlan {
  const chosen = selector.schema_normalization
  if (typeof chosen === 'object' && chosen !== null)
    return { kind: 'custom', ...planCustom(input, chosen as Component) }
  return { kind: chosen === 'Default' ? 'cast' : 'none' }
}

/** A path whose names are templates; none when the author left it out. */
export function pathIn(input: PlanInput, component: Fields, field: string): Template[] {
  const path = (component[field] as readonly unknown[] | undefined | null) ?? []
  return path.map((name, index) => compileAt(name, input.manifest.at(path, index)))
}
