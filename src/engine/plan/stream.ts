/** Manifest + config + a stream's name → its plan. */
import { ConnectorError } from '../../errors.ts'
import type { Component, Manifest } from '../manifest/manifest.ts'
import { nearMiss } from '../../near-miss.ts'
import { unsupportedIn } from '../manifest/supported.ts'
import { checkConfig } from './config.ts'
import { planPagination } from './pagination.ts'
import type { Config, JsonSchema, StreamPlan } from './plan.ts'
import { componentIn, type PlanInput } from './read-fields.ts'
import { planRequester } from './requester.ts'
import { planSelector } from './selector.ts'
import { planSlicing } from './slicing.ts'

/** What will be done for one stream, or the reason why nothing can be. */
export function planStream(manifest: Manifest, name: string | undefined, config: Config): StreamPlan {
  const stream = findStream(manifest, name)
  refuseUnsupported(manifest, stream)
  checkConfig(manifest, config)

  const input: PlanInput = { manifest, config }
  const retriever = componentIn(stream, 'retriever') as Component
  return {
    name: String(stream.name),
    at: manifest.at(stream),
    primaryKey: primaryKeyOf(stream),
    schema: schemaOf(stream),
    requester: planRequester(input, retriever),
    selector: planSelector(input, stream, retriever),
    pagination: planPagination(input, retriever),
    slicing: planSlicing(input, stream, retriever),
  }
}

function findStream(manifest: Manifest, name: string | undefined): Component {
  const names = manifest.streams.map((stream) => String(stream.name))
  const found =
    name === undefined && names.length === 1 ? manifest.streams[0] : manifest.streams[names.indexOf(name ?? '')]
  if (found !== undefined) return found

  const near = name === undefined ? undefined : nearMiss(name, names)
  const asked = name === undefined ? 'Several streams exist and none was chosen' : `There is no stream "${name}"`
  const shown = names.slice(0, 12).join(', ') + (names.length > 12 ? ` and ${names.length - 12} more` : '')
  throw new ConnectorError('manifest/unknown-stream', `${asked}; this manifest has ${shown || 'none'}.`, {
    at: manifest.at(manifest.root, 'streams'),
    hint: near === undefined ? undefined : `Did you mean "${near}"?`,
  })
}

function refuseUnsupported(manifest: Manifest, stream: Component): void {
  const unsupported = unsupportedIn(stream)
  const [first] = unsupported
  if (first === undefined) return
  const types = [...new Set(unsupported.map(({ type }) => type))].join(', ')
  const message = `Stream "${String(stream.name)}" uses what this version cannot run yet: ${types}.`
  throw new ConnectorError('manifest/unsupported-component', message, { at: manifest.at(first.node) })
}

/** One name, a list of names, or a list of paths. */
export function primaryKeyOf(stream: Component): string[][] {
  const key = stream.primary_key as string | readonly (string | string[])[] | undefined | null
  if (key === undefined || key === null || key === '') return []
  if (typeof key === 'string') return [[key]]
  return key.map((part) => (typeof part === 'string' ? [part] : part))
}

/** The declared schema; streams without one take their columns from the records. */
export function schemaOf(stream: Component): JsonSchema | null {
  const loader = stream.schema_loader as Component | readonly Component[] | undefined
  const loaders = loader === undefined ? [] : Array.isArray(loader) ? loader : [loader]
  const inline = loaders.find((candidate: Component) => candidate.type === 'InlineSchemaLoader')
  return (inline?.schema as JsonSchema | undefined) ?? null
}
