/** Manifest + config → CATALOG: its streams, and how each can be read. */
import { judgeSlices } from '../proof/receipts/open-receipts.ts'
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { isComponent } from '../engine/manifest/components.ts'
import { unsupportedTypesIn } from '../engine/manifest/supported.ts'
import type { Component } from '../engine/manifest/manifest.ts'
import { validateConfig } from '../engine/config/normalize-config.ts'
import type { Config, JsonSchema } from '../engine/plan/plan.ts'
import { textIn } from '../engine/plan/read-fields.ts'
import { planSchema } from '../engine/plan/schema.ts'
import { primaryKeyOf } from '../engine/plan/stream.ts'
import { schemaOf } from '../engine/opening/open-stream.ts'
import { ConnectorError } from '../std/errors.ts'
import type { Notice } from '../engine/response/notice.ts'
import { reportingTo, type Run } from '../engine/run/run.ts'
import { delegateOf } from '../engine/streams/delegate.ts'
import { streamsOf } from '../engine/streams-of.ts'
import { customToolsOf, openRunOf, type ReadOptions } from '../read.ts'
import { type CatalogStream, logMessage, type Message } from './messages.ts'
import { sayNotice } from './say.ts'

/** For streams that declare no schema. */
const anyRecord: JsonSchema = { type: 'object', additionalProperties: true, properties: {} }

/** Streams that cannot run are listed too, each with a warning before the catalog. The config is normalized. */
export async function discoverMessages(
  manifest: LoadedManifest,
  config: Config,
  options: ReadOptions = {},
): Promise<Message[]> {
  const leftOut = await validateConfig(manifest, config, customToolsOf(manifest))
  const { run, close } = await openRunOf(manifest, { ...options, config, isNormalized: true })
  try {
    const streams = (await streamsOf(run, { ...options, judge: judgeSlices })).map(({ stream }) =>
      delegateOf(run, stream, undefined, run.now()),
    )
    const unsupported = streams.flatMap(({ stream }) => warnUnsupported(stream))
    const { shortage } = run.resolved
    const lacking = shortage === undefined ? leftOut : [...leftOut, shortage]
    const warnings = [...lacking.map((text) => logMessage('WARN', text)), ...unsupported]
    const listed: CatalogStream[] = []
    // One after the other: most schemas are in the manifest, and an API that serves them should not be overloaded.
    for (const { stream } of streams) {
      const onNotice = (notice: Notice) => {
        options.onNotice?.(notice)
        if (notice.kind === 'warning') warnings.push(logMessage('WARN', sayNotice(String(stream.name), notice)))
      }
      listed.push(await catalogStream(reportingTo(run, onNotice), stream, options.signal))
    }
    return [...warnings, { type: 'CATALOG', catalog: { streams: listed } }]
  } finally {
    await close()
  }
}

async function catalogStream(
  run: Run,
  stream: Component,
  signal = new AbortController().signal,
): Promise<CatalogStream> {
  const cursorField = cursorFieldOf(run, stream)
  const primaryKey = primaryKeyOf(stream)
  return {
    name: String(stream.name),
    json_schema: (await schemaOrWarning(run, stream, signal)) ?? anyRecord,
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

/**
 * A missing schema file or class is a warning. An API that does not answer is an error: a catalog without its columns
 * would look like a change of the data.
 */
async function schemaOrWarning(run: Run, stream: Component, signal: AbortSignal): Promise<JsonSchema | null> {
  try {
    const owner = { name: String(stream.name), at: run.manifest.at(stream), schema: planSchema(run, stream) }
    return await schemaOf(run, owner, signal)
  } catch (error) {
    if (!(error instanceof ConnectorError) || !isMissingFile(error)) throw error
    run.report({ kind: 'warning', text: `Its schema is unknown. ${error.message}` })
    return null
  }
}

function isMissingFile({ code }: ConnectorError): boolean {
  return /^(records\/schema-file|plan\/class-.*|plan\/no-folder|manifest\/unsupported-component)$/.test(code)
}

/** The cursor field of an incremental stream; null for others. */
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
  return [logMessage('WARN', `Stream "${String(stream.name)}" cannot run: ${types.join(', ')} is not supported.`)]
}
