/** Manifest + config → CATALOG: the streams it offers, and how each can be read. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { isComponent } from '../engine/manifest/components.ts'
import type { Component } from '../engine/manifest/manifest.ts'
import { unsupportedTypesIn } from '../engine/manifest/supported.ts'
import { validateConfig } from '../engine/normalize-config.ts'
import type { Config, JsonSchema } from '../engine/plan/plan.ts'
import { textIn } from '../engine/plan/read-fields.ts'
import { primaryKeyOf, schemaOf } from '../engine/plan/stream.ts'
import type { Run } from '../engine/run.ts'
import { delegateOf } from '../engine/streams/delegate.ts'
import { streamsOf } from '../engine/streams-of.ts'
import { customToolsOf, openRunOf, type ReadOptions } from '../read.ts'
import { type CatalogStream, logMessage, type Message } from './messages.ts'

/** For streams that declare no schema. */
const anyRecord: JsonSchema = { type: 'object', additionalProperties: true, properties: {} }

/** Streams that cannot run yet are listed too, each with a warning before the catalog. The config is normalised. */
export async function discoverMessages(
  manifest: LoadedManifest,
  config: Config,
  options: ReadOptions = {},
): Promise<Message[]> {
  await validateConfig(manifest, config, customToolsOf(manifest))
  const { run, close } = await openRunOf(manifest, { ...options, config, isNormalized: true })
  try {
    const streams = (await streamsOf(run, options)).map(({ stream }) => delegateOf(run, stream, undefined, run.now()))
    const listed: CatalogStream[] = []
    for (const { stream } of streams) listed.push(await catalogStream(run, stream))
    const warnings = streams.flatMap(({ stream }) => warnUnsupported(stream))
    return [...warnings, { type: 'CATALOG', catalog: { streams: listed } }]
  } finally {
    await close()
  }
}

async function catalogStream(run: Run, stream: Component): Promise<CatalogStream> {
  const cursorField = cursorFieldOf(run, stream)
  const primaryKey = primaryKeyOf(stream)
  return {
    name: String(stream.name),
    json_schema: await schemaFor(run, stream),
    supported_sync_modes: cursorField === null ? ['full_refresh'] : ['full_refresh', 'incremental'],
    ...(cursorField !== null && {
      source_defined_cursor: !isChosenByCatalog(stream),
      default_cursor_field: [cursorField],
    }),
    ...(primaryKey.length > 0 && { source_defined_primary_key: primaryKey }),
    is_resumable: cursorField !== null,
    is_file_based: (stream.file_uploader ?? null) !== null,
  }
}

/** The one place where a schema is asked for; loaders that read a file or an API answer here. */
async function schemaFor(_run: Run, stream: Component): Promise<JsonSchema> {
  return schemaOf(stream) ?? anyRecord
}

/** The field by which a stream can be read from where it stopped; null when there is none. */
function cursorFieldOf(run: Run, stream: Component): string | null {
  const cursor = stream.incremental_sync
  const isCursor = isComponent(cursor, 'DatetimeBasedCursor') || isComponent(cursor, 'IncrementingCountCursor')
  return isCursor ? textIn(run, cursor, 'cursor_field') : null
}

/** Whether the user may choose another field. */
function isChosenByCatalog({ incremental_sync: cursor }: Component): boolean {
  return (cursor as Component).allow_catalog_defined_cursor_field === true
}

function warnUnsupported(stream: Component): Message[] {
  const types = unsupportedTypesIn(stream)
  if (types.length === 0) return []
  return [logMessage('WARN', `Stream "${String(stream.name)}" cannot run yet: ${types.join(', ')}.`)]
}
