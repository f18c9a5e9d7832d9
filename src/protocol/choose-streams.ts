/** A catalog, some names, or neither → the streams to read. */
import { ConnectorError } from '../errors.ts'
import type { Manifest } from '../engine/manifest/manifest.ts'
import { unknownStream } from '../engine/plan/stream.ts'

export type ChosenStream = {
  readonly name: string
  /** Goes on from its state, if there is one; otherwise it is read from the start. */
  readonly isIncremental: boolean
}

/** Every stream of the manifest, under this config. */
export function everyStream(known: readonly Named[]): ChosenStream[] {
  return known.map(({ name }) => ({ name, isIncremental: true }))
}

type Named = { readonly name: string }

/** Throws before anything is read when there is no such stream among those known. */
export function streamsNamed(manifest: Manifest, known: readonly Named[], names: readonly string[]): ChosenStream[] {
  return [...new Set(names)].map((name) => {
    if (known.some((one) => one.name === name)) return { name, isIncremental: true }
    const there = known.map((one) => one.name)
    throw unknownStream(manifest, name, there)
  })
}

/** A configured catalog, as a platform sends it, or the plain one that `discover` gives. */
export function streamsInCatalog(catalog: unknown): ChosenStream[] {
  const { streams } = unwrapped(catalog)
  if (!Array.isArray(streams)) throw notACatalog('it has no list `streams`')
  return streams.map((entry: unknown, index) => {
    const { stream, sync_mode } = asObject(entry)
    const { name } = asObject(stream ?? entry)
    if (typeof name !== 'string') throw notACatalog(`entry ${index} names no stream`)
    return { name, isIncremental: sync_mode !== 'full_refresh' }
  })
}

/** The CATALOG message itself will do as well. */
function unwrapped(catalog: unknown): Record<string, unknown> {
  const { type, catalog: inner, ...rest } = asObject(catalog)
  return type === 'CATALOG' ? asObject(inner) : rest
}

function notACatalog(reason: string): ConnectorError {
  const hint = 'Give the output of `turnleaf discover`, or use --stream NAME instead.'
  return new ConnectorError('cli/arguments', `This is not a catalog: ${reason}.`, { hint })
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
