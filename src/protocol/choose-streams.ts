/** A catalog, some names, or neither → the streams to read. */
import { isObject } from '../std/values/objects.ts'
import { ConnectorError } from '../std/errors.ts'
import { stringifyJson } from '../std/json.ts'
import type { Manifest } from '../engine/manifest/manifest.ts'
import type { JsonSchema } from '../engine/plan/plan.ts'
import { unknownStream } from '../engine/plan/stream.ts'

export type ChosenStream = {
  readonly name: string
  /** Resumes from its state, if there is one; otherwise it is read from the start. */
  readonly isIncremental: boolean
  /** The selected fields, where the catalog has them. */
  readonly schema?: JsonSchema
  /** Whether files are requested in addition to records. */
  readonly wantsFiles?: true
  /** The field that the catalog chose as the cursor. */
  readonly cursorField?: string
  /** How records are to be written: `overwrite`, `append`, `append_dedup`. */
  readonly landing?: string
  /** The key that the catalog chose. */
  readonly primaryKey?: readonly (readonly string[])[]
}

/** Every stream of the manifest, under this config. */
export function everyStream(known: readonly Named[]): ChosenStream[] {
  return known.map(({ name }) => ({ name, isIncremental: true }))
}

type Named = { readonly name: string }

/** Throws for an unknown stream, before anything is read. */
export function streamsNamed(manifest: Manifest, known: readonly Named[], names: readonly string[]): ChosenStream[] {
  return [...new Set(names)].map((name) => {
    if (known.some((one) => one.name === name)) return { name, isIncremental: true }
    const there = known.map((one) => one.name)
    throw unknownStream(manifest, name, there)
  })
}

/** A configured catalog, as a platform sends it, or the output of `discover`, which has no `sync_mode`. */
export function streamsInCatalog(catalog: unknown, file?: string): ChosenStream[] {
  const { streams } = unwrapped(catalog)
  if (!Array.isArray(streams)) throw notACatalog('it has no list `streams`')
  return streams.map((entry: unknown, index) => {
    const { stream, sync_mode, cursor_field, include_files, destination_sync_mode, primary_key } = asObject(entry)
    const { name, json_schema: schema } = asObject(stream ?? entry)
    if (typeof name !== 'string') throw notACatalog(`entry ${index} names no stream`)
    if (sync_mode !== undefined && !knownModes.includes(sync_mode)) throw unknownMode(sync_mode, name, index, file)
    return {
      name,
      isIncremental: sync_mode !== 'full_refresh',
      ...chosenCursor(cursor_field),
      ...chosenKey(primary_key),
      ...(typeof destination_sync_mode === 'string' && { landing: destination_sync_mode }),
      ...(isObject(schema) && { schema }),
      ...(include_files === true && { wantsFiles: true }),
    }
  })
}

const knownModes: readonly unknown[] = ['full_refresh', 'incremental']

/** A guess could replace a table, or skip old rows. */
function unknownMode(mode: unknown, name: string, index: number, file: string | undefined): ConnectorError {
  const message = `The catalog has an unknown \`sync_mode\` ${stringifyJson(mode)} for stream "${name}".`
  const at = { pointer: `/streams/${index}/sync_mode`, ...(file !== undefined && { file }) }
  return new ConnectorError('sync/unknown-mode', message, { at, hint: 'Set it to `full_refresh` or `incremental`.' })
}

/** Airbyte: an empty name means that none was chosen; cursors are never nested. */
function chosenCursor(path: unknown): { cursorField?: string } {
  const [name, ...deeper]: unknown[] = Array.isArray(path) ? path : []
  return typeof name === 'string' && name !== '' && deeper.length === 0 ? { cursorField: name } : {}
}

/** Airbyte: an empty list means that none was chosen. */
function chosenKey(paths: unknown): { primaryKey?: readonly (readonly string[])[] } {
  const isPath = (path: unknown) => Array.isArray(path) && path.every((name) => typeof name === 'string')
  return Array.isArray(paths) && paths.length > 0 && paths.every(isPath) ? { primaryKey: paths } : {}
}

/** Also accepts the CATALOG message. */
function unwrapped(catalog: unknown): Readonly<Record<string, unknown>> {
  const { type, catalog: inner, ...rest } = asObject(catalog)
  return type === 'CATALOG' ? asObject(inner) : rest
}

function notACatalog(reason: string): ConnectorError {
  const hint = 'Give the output of `npx turnleaf discover`, or use --stream NAME instead.'
  return new ConnectorError('cli/arguments', `This is not a catalog: ${reason}.`, { hint })
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}
