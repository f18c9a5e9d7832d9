/** The streams that `streams` and `mode` of a connection name, compared with those that its connector has. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { isComponent } from '../engine/manifest/components.ts'
import type { Component } from '../engine/manifest/manifest.ts'
import { unknownStream } from '../engine/plan/stream.ts'
import { dynamicStreamsOf } from '../engine/streams/resolve-streams.ts'
import { ConnectorError, type SourceLocation } from '../std/errors.ts'
import { isObject } from '../std/values/objects.ts'
import type { ValuePath } from './references.ts'

export type StreamsAndModes = {
  readonly streams?: readonly string[] | null | undefined
  readonly mode?: string | Readonly<Record<string, string>> | null | undefined
  /** Where a value is written, once it is. */
  readonly locate?: (path: ValuePath) => SourceLocation
}

/** Each name with the place where the connection has it. */
function namesIn({ streams, mode }: StreamsAndModes): { name: string; path: ValuePath }[] {
  const modes = isObject(mode) ? Object.keys(mode).filter((name) => name !== '*') : []
  return [
    ...(streams ?? []).map((name, index) => ({ name, path: ['streams', index] })),
    ...modes.map((name) => ({ name, path: ['mode', name] })),
  ]
}

export function namesStreams(given: StreamsAndModes): boolean {
  return namesIn(given).length > 0
}

/** Without config and requests: streams under a condition may exist, and so may any where the API names some. */
export function refuseImpossibleStreams(manifest: LoadedManifest, given: StreamsAndModes): void {
  if (dynamicStreamsOf(manifest).length === 0) refuseUnknownStreams(manifest, given, possibleNames(manifest))
}

function possibleNames({ streams }: LoadedManifest): string[] {
  const each = streams.flatMap((one) =>
    isComponent(one, 'ConditionalStreams') ? (one.streams as readonly Component[]) : [one],
  )
  return each.flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
}

export function refuseUnknownStreams(manifest: LoadedManifest, given: StreamsAndModes, known: readonly string[]): void {
  const unknown = namesIn(given).find(({ name }) => !known.includes(name))
  if (unknown === undefined) return
  const { code, message, at, hint } = unknownStream(manifest, unknown.name, known)
  throw new ConnectorError(code, message, { at: given.locate?.(unknown.path) ?? at, hint })
}
