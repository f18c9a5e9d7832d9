/** Manifest + config → CATALOG: the streams it offers, and how each can be read. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { isComponent } from '../engine/manifest/components.ts'
import type { Component } from '../engine/manifest/manifest.ts'
import { unsupportedTypesIn } from '../engine/manifest/supported.ts'
import { checkConfig } from '../engine/plan/config.ts'
import type { Config, JsonSchema } from '../engine/plan/plan.ts'
import { textIn } from '../engine/plan/read-fields.ts'
import { planSchema } from '../engine/plan/schema.ts'
import { primaryKeyOf } from '../engine/plan/stream.ts'
import { schemaOf } from '../engine/open-stream.ts'
import type { Run } from '../engine/run.ts'
import { ConnectorError } from '../errors.ts'
import { type ReadOptions, withRun } from '../read.ts'
import { sayNotice } from './say.ts'
import { type CatalogStream, logMessage, type Message } from './messages.ts'

/** For streams that declare no schema. */
const anyRecord: JsonSchema = { type: 'object', additionalProperties: true, properties: {} }

/** Streams that cannot run yet are listed too, each with a warning before the catalog. */
export async function discoverMessages(
  manifest: LoadedManifest,
  config: Config,
  options: ReadOptions = {},
): Promise<Message[]> {
  checkConfig(manifest, config)
  const named = manifest.streams.filter((stream) => typeof stream.name === 'string')
  const unnamed = manifest.streams.length - named.length
  const { schemas, warnings } = await schemasOf(manifest, named, { ...options, config })
  const streams = named.map((stream) => catalogStream(manifest, stream, config, schemas.get(stream) ?? anyRecord))
  return [
    ...named.flatMap((stream) => warnUnsupported(stream)),
    ...warnings,
    ...(unnamed === 0 ? [] : [logMessage('WARN', `Left out ${unnamed} groups of streams that cannot run yet.`)]),
    { type: 'CATALOG', catalog: { streams } },
  ]
}

function catalogStream(manifest: LoadedManifest, stream: Component, config: Config, schema: JsonSchema): CatalogStream {
  const cursorField = cursorFieldOf(manifest, stream, config)
  const primaryKey = primaryKeyOf(stream)
  return {
    name: String(stream.name),
    json_schema: schema,
    supported_sync_modes: cursorField === null ? ['full_refresh'] : ['full_refresh', 'incremental'],
    ...(cursorField !== null && {
      source_defined_cursor: !leavesChoice(stream),
      default_cursor_field: [cursorField],
    }),
    ...(primaryKey.length > 0 && { source_defined_primary_key: primaryKey }),
    is_resumable: cursorField !== null,
    is_file_based: false,
  }
}

type Schemas = { readonly schemas: ReadonlyMap<Component, JsonSchema>; readonly warnings: Message[] }

/** One after the other: most are in the manifest, and an API that is asked for the others should not be rushed. */
async function schemasOf(
  manifest: LoadedManifest,
  streams: readonly Component[],
  options: ReadOptions,
): Promise<Schemas> {
  const schemas = new Map<Component, JsonSchema>()
  const warnings: Message[] = []
  let name = ''
  const onNotice: ReadOptions['onNotice'] = (notice) => {
    options.onNotice?.(notice)
    if (notice.kind === 'warning') warnings.push(logMessage('WARN', sayNotice(name, notice)))
  }
  await withRun(manifest, { ...options, onNotice }, async (run, signal) => {
    for (const stream of streams) {
      name = String(stream.name)
      const schema = await schemaOrWarning(run, stream, signal)
      if (schema !== null) schemas.set(stream, schema)
    }
  })
  return { schemas, warnings }
}

/**
 * A schema file or class that the connector's folder lacks is no reason to hide every stream. An API that does not
 * answer is one: a catalog without the columns it has would pass for a change of the data.
 */
async function schemaOrWarning(run: Run, stream: Component, signal: AbortSignal): Promise<JsonSchema | null> {
  try {
    const { manifest } = run
    const owner = { name: String(stream.name), at: manifest.at(stream), schema: planSchema(run, stream) }
    return await schemaOf(run, owner, signal)
  } catch (error) {
    if (!(error instanceof ConnectorError) || !isOfTheFolder(error)) throw error
    run.report({ kind: 'warning', text: `Its schema is not known. ${error.message}` })
    return null
  }
}

function isOfTheFolder({ code }: ConnectorError): boolean {
  return /^(records\/schema-file|plan\/class-.*|plan\/no-folder|manifest\/unsupported-component)$/.test(code)
}

/** The field by which a stream can be read from where it stopped; null when there is none. */
function cursorFieldOf(manifest: LoadedManifest, stream: Component, config: Config): string | null {
  const cursor = stream.incremental_sync
  const isKnown = isComponent(cursor, 'DatetimeBasedCursor') || isComponent(cursor, 'IncrementingCountCursor')
  return isKnown ? textIn({ manifest, config }, cursor, 'cursor_field') : null
}

/** Whether a catalog may name another cursor field. */
function leavesChoice(stream: Component): boolean {
  return (stream.incremental_sync as Component).allow_catalog_defined_cursor_field === true
}

function warnUnsupported(stream: Component): Message[] {
  const types = unsupportedTypesIn(stream)
  if (types.length === 0) return []
  return [logMessage('WARN', `Stream "${String(stream.name)}" cannot run yet: ${types.join(', ')}.`)]
}
