/** `DynamicDeclarativeStream` → where its values come from, and where each goes in the template. */
import type { SourceLocation } from '../../std/errors.ts'
import type { Component } from '../manifest/manifest.ts'
import type { Template } from '../template/template.ts'
import type { Parameters } from './plan.ts'
import {
  compileAt,
  componentsIn,
  type Fields,
  parametersOf,
  type PlanInput,
  requiredComponentIn,
  requiredTemplateIn,
  templateIn,
  unsupported,
} from './read-fields.ts'
import type { ValueType } from './transformations.ts'

export type DynamicPlan = {
  /** The name a check may request; the streams made from it have other names. */
  readonly name: string
  readonly template: Component
  /** Which of two parameters with the same name is used below the stream: by default, the one that a mapping set at its top. */
  readonly precedence: 'own' | 'inherited'
  readonly values: ValuesPlan
  readonly mappings: readonly ComponentMappingPlan[]
  readonly parameters: Parameters
  readonly at: SourceLocation
}

/** One stream for each record of an API, each member of lists in the config, or each entry of the manifest. */
export type ValuesPlan =
  | { readonly from: 'http'; readonly stream: Component }
  | { readonly from: 'config'; readonly lists: readonly ConfigListPlan[] }
  | { readonly from: 'manifest'; readonly entries: readonly Readonly<Record<string, unknown>>[] }

export type ConfigListPlan = {
  readonly path: readonly Template[]
  /** Members in addition to those of the config. */
  readonly extra: readonly unknown[]
  readonly parameters: Parameters
  readonly at: SourceLocation
}

export type ComponentMappingPlan = {
  /** Names may be patterns: `*`, `**`. */
  readonly path: readonly Template[]
  readonly value: Template
  readonly type: ValueType | null
  readonly onlyIf: Template | null
  /** Whether a place that the template lacks is made. */
  readonly creates: boolean
  readonly parameters: Parameters
  readonly at: SourceLocation
}

/** `index`: its position among the manifest's dynamic streams, which names one without a name. */
export function planDynamic(input: PlanInput, dynamic: Component, index: number): DynamicPlan {
  const resolver = requiredComponentIn(input, dynamic, 'components_resolver')
  return {
    name: nameOfDynamic(dynamic, index),
    template: requiredComponentIn(input, dynamic, 'stream_template'),
    precedence: dynamic.use_parent_parameters === false ? 'own' : 'inherited',
    values: planValues(input, resolver, dynamic.name),
    mappings: componentsIn(resolver, 'components_mapping').map((mapping) => planMapping(input, mapping, resolver)),
    parameters: parametersOf(resolver),
    at: input.manifest.at(dynamic),
  }
}

/** What a check calls it. */
export function nameOfDynamic({ name }: Component, index: number): string {
  return typeof name === 'string' ? name : `dynamic_stream_${index}`
}

function planValues(input: PlanInput, resolver: Component, name: unknown): ValuesPlan {
  switch (resolver.type) {
    case 'HttpComponentsResolver':
      return { from: 'http', stream: streamOfValues(input, resolver, name) }
    case 'ConfigComponentsResolver':
      return { from: 'config', lists: componentsIn(resolver, 'stream_config').map((list) => planList(input, list)) }
    case 'ParametrizedComponentsResolver': {
      const { list_of_parameters_for_stream: entries } = requiredComponentIn(input, resolver, 'stream_parameters')
      return { from: 'manifest', entries: entries as Readonly<Record<string, unknown>>[] }
    }
    default:
      throw unsupported(input, resolver)
  }
}

/** The retriever as a stream. Airbyte: its responses are kept for the streams that send the same requests. */
function streamOfValues({ manifest }: PlanInput, resolver: Component, name: unknown): Component {
  const retriever = resolver.retriever as Component
  const requester = retriever.requester as Component | undefined
  const keeping = requester === undefined ? {} : { requester: { ...requester, use_cache: true } }
  const stream = {
    type: 'DeclarativeStream',
    name: typeof name === 'string' ? name : '__http_components_resolver',
    retriever: manifest.derived({ ...retriever, ...keeping }, retriever),
    ...(resolver.$parameters !== undefined && { $parameters: resolver.$parameters }),
  }
  return manifest.derived(stream, resolver)
}

function planList(input: PlanInput, list: Component): ConfigListPlan {
  return {
    path: templatesIn(input, list, 'configs_pointer'),
    extra: (list.default_values as readonly unknown[] | undefined) ?? [],
    parameters: parametersOf(list),
    at: input.manifest.at(list),
  }
}

function planMapping(input: PlanInput, mapping: Component, resolver: Component): ComponentMappingPlan {
  return {
    path: templatesIn(input, mapping, 'field_path'),
    value: requiredTemplateIn(input, mapping, 'value'),
    type: (mapping.value_type as ValueType | undefined) ?? null,
    onlyIf: mapping.condition === '' ? null : templateIn(input, mapping, 'condition'),
    // Airbyte: what an API names must have its place in the template already.
    creates: mapping.create_or_update === true && resolver.type !== 'HttpComponentsResolver',
    parameters: parametersOf(mapping),
    at: input.manifest.at(mapping),
  }
}

function templatesIn(input: PlanInput, component: Fields, field: string) {
  const names = (component[field] as readonly unknown[] | undefined) ?? []
  return names.map((name, index) => compileAt(name, input.manifest.at(names, index)))
}
