/** Manifest + config → CATALOG: the streams it offers, and how each can be read. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { isComponent } from '../engine/manifest/components.ts'
import type { Component } from '../engine/manifest/manifest.ts'
import { unsupportedTypesIn } from '../engine/manifest/supported.ts'
import { checkConfig } from '../engine/plan/config.ts'
import type { Config, JsonSchema } from '../engine/plan/plan.ts'
import { textIn } from '../engine/plan/read-fields.ts'
import { primaryKeyOf, schemaOf } from '../engine/plan/stream.ts'
import { type CatalogStream, logMessage, type Message } from './messages.ts'

/** For streams that declare no schema. */
const anyRecord: JsonSchema = { type: 'object', additionalProperties: true, properties: {} }

/** Streams that cannot run yet are listed too, each with a warning before the catalog. */
export function discoverMessages(manifest: LoadedManifest, config: Config): Message[] {
  checkConfig(manifest, config)
  const named = manifest.streams.filter((stream) => typeof stream.name === 'string')
  const unnamed = manifest.streams.length - named.length
  const streams = named.map((stream) => catalogStream(manifest, stream, config))
  return [
    ...named.flatMap((stream) => warnUnsupported(stream)),
    ...(unnamed === 0 ? [] : [logMessage('WARN', `Left out ${unnamed} groups of streams that cannot run yet.`)]),
    { type: 'CATALOG', catalog: { streams } },
  ]
}

function catalogStream(manifest: LoadedManifest, stream: Component, config: Config): CatalogStream {
  const cursorField = cursorFieldOf(manifest, stream, config)
  const primaryKey = primaryKeyOf(stream)
  return {
    name: String(stream.name),
    json_schema: schemaOf(stream) ?? anyRecord,
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
