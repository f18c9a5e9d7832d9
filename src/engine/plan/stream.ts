/** Manifest + config + a stream's name → its plan. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import { nearMiss } from '../../std/text/near-miss.ts'
import type { CustomPlan } from '../custom/component.ts'
import { isComponent } from '../manifest/components.ts'
import { unsupportedIn, unsupportedTypesIn } from '../manifest/supported.ts'
import type { Component, Manifest } from '../manifest/manifest.ts'
import { checkConfig } from './config.ts'
import { removedCursor } from './cursor.ts'
import { type DecoderPlan, planDecoder, planDownloadDecoder } from './decoder.ts'
import { type JobPlan, planJob } from './job.ts'
import { type PaginationPlan, planPagination, type ResetPlan, planReset } from './pagination.ts'
import type { Config } from './plan.ts'
import { type RequesterPlan, planRequester } from './requester.ts'
import { type SlicingPlan, planSlicing } from './slicing.ts'
import { type PropertiesPlan, planProperties } from './query-properties.ts'
import { componentIn, planCustom, type PlanInput, requiredComponentIn } from './read-fields.ts'
import { type SchemaPlan, planSchema } from './schema.ts'
import { type SelectorPlan, planSelector } from './selector.ts'
import { planReduction, planSplitting, type ReductionPlan, type SplittingPlan } from './smaller-requests.ts'

export type StreamPlan = {
  readonly name: string
  readonly at: SourceLocation
  /** One path per key field; empty when the stream names none. */
  readonly primaryKey: readonly (readonly string[])[]
  readonly schema: SchemaPlan
  /** What prepares the records, where the API does so on request: requester, pagination and selector are the download's. */
  readonly job: JobPlan | null
  /** The custom class that reads the slices, in place of the usual page loop. */
  readonly retriever: CustomPlan | null
  readonly requester: RequesterPlan
  readonly decoder: DecoderPlan
  /** Properties that requests name; null where they request whatever there is. */
  readonly properties: PropertiesPlan | null
  readonly selector: SelectorPlan
  readonly pagination: PaginationPlan
  readonly slicing: SlicingPlan
  readonly reset: ResetPlan
  /** Null where pages and windows keep their size, whatever the API says. */
  readonly reduction: ReductionPlan | null
  readonly splitting: SplittingPlan | null
  /** Whether its records name files to fetch, which is not supported yet. */
  readonly hasFiles: boolean
  /** Airbyte: `ignore_stream_slicer_parameters_on_paginated_requests`. */
  readonly sliceOptionsOnFirstPageOnly: boolean
}

/** What will be done for one stream, or the reason why nothing can be. */
export function planStream(manifest: Manifest, name: string | undefined, config: Config): StreamPlan {
  checkConfig(manifest, config)
  return planComponent({ manifest, config }, findStream(manifest, name))
}

/** The same for any stream of the manifest, a parent written inside another one among them. The config is checked. */
export function planComponent(input: PlanInput, stream: Component): StreamPlan {
  const { manifest } = input
  refuseUnsupported(manifest, stream)

  const retriever = requiredComponentIn(input, stream, 'retriever')
  const isAsync = retriever.type === 'AsyncRetriever'
  const requester = requesterOf(input, retriever)
  const pagination = planPagination(input, retriever)
  const slicing = planSlicing({ ...input, planParent: (parent) => planParent(input, parent) }, stream, retriever)
  return {
    name: String(stream.name),
    at: manifest.at(stream),
    primaryKey: primaryKeyOf(stream),
    schema: planSchema(input, stream),
    job: planJob(input, retriever),
    retriever: retriever.type === 'CustomRetriever' ? planCustom(input, retriever) : null,
    requester: planRequester(input, requester),
    properties: planProperties(input, requester),
    decoder: isAsync ? planDownloadDecoder(input, retriever) : planDecoder(input, componentIn(retriever, 'decoder')),
    selector: planSelector(input, stream, retriever),
    pagination,
    slicing,
    reset: planReset(input, retriever),
    reduction: planReduction(input, retriever, pagination),
    splitting: planSplitting(input, retriever, slicing.cursor),
    hasFiles: isSet(stream.file_uploader),
    sliceOptionsOnFirstPageOnly: retriever.ignore_stream_slicer_parameters_on_paginated_requests === true,
  }
}

function planParent(input: PlanInput, parent: Component): StreamPlan {
  return planComponent(input, input.chooseParent?.(parent) ?? parent)
}

/** The requester of the records. A custom retriever may do without one. */
function requesterOf(input: PlanInput, retriever: Component): Component {
  switch (retriever.type) {
    case 'AsyncRetriever':
      return requiredComponentIn(input, retriever, 'download_requester')
    case 'CustomRetriever':
      return componentIn(retriever, 'requester') ?? { type: 'HttpRequester', url_base: '' }
    default:
      return requiredComponentIn(input, retriever, 'requester')
  }
}

/** Among the streams written out at the top. Those that a condition admits or a template makes need a run. */
function findStream(manifest: Manifest, name: string | undefined): Component {
  const named = manifest.streams.find((stream) => stream.name === name)
  const only = name === undefined && manifest.streams.length === 1 ? manifest.streams[0] : undefined
  const found = named ?? only
  const names = manifest.streams.flatMap((stream) => (typeof stream.name === 'string' ? [stream.name] : []))
  if (found === undefined) throw unknownStream(manifest, name, names)
  return found
}

/** `names`: the streams there are. */
export function unknownStream(manifest: Manifest, name: string | undefined, names: readonly string[]): ConnectorError {
  const near = name === undefined ? undefined : nearMiss(name, names, 3)
  const wrong = name === undefined ? 'Several streams exist and none was chosen' : `There is no stream "${name}"`
  const shown = names.slice(0, 12).join(', ') + (names.length > 12 ? ` and ${names.length - 12} more` : '')
  return new ConnectorError('manifest/unknown-stream', `${wrong}; the manifest has ${shown || 'none'}.`, {
    at: manifest.at(manifest.root, 'streams'),
    hint: near === undefined ? undefined : `Did you mean "${near}"?`,
  })
}

function refuseUnsupported(manifest: Manifest, stream: Component): void {
  const [first] = unsupportedIn(stream)
  if (first === undefined) return
  if (isComponent(first.node, 'CustomIncrementalSync')) throw removedCursor(manifest, first.node)
  const types = unsupportedTypesIn(stream).join(', ')
  const message = `Stream "${String(stream.name)}" uses what this version cannot run yet: ${types}.`
  throw new ConnectorError('manifest/unsupported-component', message, { at: manifest.at(first.node) })
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** One name, a list of names, or a list of paths. */
export function primaryKeyOf(stream: Component): string[][] {
  const key = stream.primary_key as string | readonly (string | string[])[] | undefined | null
  if (key === undefined || key === null || key === '') return []
  if (typeof key === 'string') return [[key]]
  return key.map((part) => (typeof part === 'string' ? [part] : part))
}
