/** `QueryProperties`, wherever a requester has it → the properties that a stream requests by name. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import { isComponent } from '../manifest/components.ts'
import type { Component } from '../manifest/manifest.ts'
import type { Template } from '../template/template.ts'
import type { Parameters } from './plan.ts'
import { componentIn, componentsIn, parametersOf, type PlanInput, requiredComponentIn } from './read-fields.ts'
import { type TransformationPlan, planTransformation } from './transformations.ts'
import { pathIn } from './selector.ts'

export type PropertiesPlan = {
  /** The query parameter that carries them; null where the author's templates do. */
  readonly parameter: string | null
  readonly source: readonly string[] | PropertyEndpointPlan
  /** In every group. */
  readonly always: readonly string[]
  /** Null requests all of them at once. */
  readonly chunking: ChunkingPlan | null
  /** Requests only the properties that the schema has. */
  readonly selection: { readonly transformations: readonly TransformationPlan[] } | null
  readonly at: SourceLocation
}

/** The API names its properties itself: one in each record. */
export type PropertyEndpointPlan = {
  readonly retriever: Component
  readonly path: readonly Template[]
  readonly parameters: Parameters
}

export type ChunkingPlan = {
  readonly unit: 'properties' | 'characters'
  /** Null is no limit. */
  readonly limit: number | null
  /** Fields by which records of several groups are joined. */
  readonly mergeBy: readonly string[]
}

export function planProperties(input: PlanInput, requester: Component): PropertiesPlan | null {
  const [placed, ...others] = propertyParameters(requester)
  const endpoint = componentIn(requester, 'fetch_properties_from_endpoint')
  if (placed !== undefined) {
    if (others.length > 0) throw twice(input, requester, 'several `request_parameters`')
    if (endpoint !== null) throw twice(input, requester, '`request_parameters` and `fetch_properties_from_endpoint`')
    const [name, properties] = placed
    return { ...planOne(input, properties), parameter: name }
  }
  if (endpoint !== null) {
    const at = input.manifest.at(endpoint)
    return {
      parameter: null,
      source: planEndpoint(input, endpoint),
      always: [],
      chunking: null,
      selection: null,
      at,
    }
  }
  const properties = componentIn(requester, 'query_properties')
  return properties === null ? null : planOne(input, properties)
}

/** Airbyte: the name of the parameter is taken as it is written. */
function propertyParameters({ request_parameters: parameters }: Component): [name: string, properties: Component][] {
  if (typeof parameters !== 'object' || parameters === null) return []
  return Object.entries(parameters).filter((entry): entry is [string, Component & { type: 'QueryProperties' }] =>
    isComponent(entry[1], 'QueryProperties'),
  )
}

function planOne(input: PlanInput, properties: Component): PropertiesPlan {
  const list = properties.property_list as readonly string[] | Component | undefined | null
  const selector = componentIn(properties, 'property_selector')
  return {
    parameter: null,
    source: isComponent(list, 'PropertiesFromEndpoint')
      ? planEndpoint(input, list)
      : ((list ?? []) as readonly string[]),
    always: (properties.always_include_properties as readonly string[] | undefined | null) ?? [],
    chunking: planChunking(componentIn(properties, 'property_chunking')),
    selection: selector && {
      transformations: componentsIn(selector, 'transformations').map((change) => planTransformation(input, change)),
    },
    at: input.manifest.at(properties),
  }
}

function planEndpoint(input: PlanInput, endpoint: Component): PropertyEndpointPlan {
  return {
    retriever: requiredComponentIn(input, endpoint, 'retriever'),
    path: pathIn(input, endpoint, 'property_field_path'),
    parameters: parametersOf(endpoint),
  }
}

function planChunking(chunking: Component | null): ChunkingPlan | null {
  if (chunking === null) return null
  const key = componentIn(chunking, 'record_merge_strategy')?.key ?? 'id'
  const limit = chunking.property_limit as number | undefined | null
  return {
    unit: chunking.property_limit_type === 'characters' ? 'characters' : 'properties',
    limit: limit === undefined || limit === 0 ? null : limit,
    mergeBy: [key as string | readonly string[]].flat(),
  }
}

function twice(input: PlanInput, requester: Component, where: string): ConnectorError {
  const message = `Properties to request are named in ${where}; a stream has only one list of them.`
  return new ConnectorError('manifest/invalid-value', message, { at: input.manifest.at(requester) })
}
