/** `check` of the manifest × the streams there are → those that must answer. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { ConnectorError } from '../std/errors.ts'
import { isComponent } from '../engine/manifest/components.ts'
import type { Component } from '../engine/manifest/manifest.ts'
import type { Config } from '../engine/plan/plan.ts'
import { unknownStream } from '../engine/plan/stream.ts'
import { nameOfDynamic } from '../engine/plan/dynamic.ts'
import { dynamicStreamsOf, type ResolvedStream } from '../engine/streams/resolve-streams.ts'

/** A platform that checks other streams than the manifest says puts their names here. */
const namesKey = '__airbyte_check_stream_names'

export function streamsToCheck(
  manifest: LoadedManifest,
  config: Config,
  streams: readonly ResolvedStream[],
): readonly ResolvedStream[] {
  const check = manifest.root.check as Component
  if (streams.length === 0) {
    throw new ConnectorError('plan/invalid-config', 'There is no stream to check: the config leaves none.', {
      at: manifest.at(check),
      hint: 'Fill in the part of the config that streams are made from.',
    })
  }
  if (isComponent(check, 'CheckDynamicStream')) {
    return check.use_check_availability === false ? [] : streams.slice(0, Math.max(0, check.stream_count))
  }
  const names = namesIn(config) ?? (check.stream_names as readonly string[] | undefined) ?? []
  return [...names.map((name) => named(manifest, name, streams)), ...generated(manifest, check, streams)]
}

/** An empty list is none. */
function namesIn(config: Config): readonly string[] | null {
  const names = config[namesKey]
  if (names === undefined || (Array.isArray(names) && names.length === 0)) return null
  if (Array.isArray(names) && names.every((name): name is string => typeof name === 'string')) return names
  throw new ConnectorError('plan/invalid-config', `\`${namesKey}\` must be a list of names of streams.`)
}

function named(manifest: LoadedManifest, name: string, streams: readonly ResolvedStream[]): ResolvedStream {
  const found = streams.find((one) => one.name === name)
  if (found !== undefined) return found
  const there = streams.map((one) => one.name)
  throw unknownStream(manifest, name, there)
}

/** Of each dynamic stream named, the first streams that it made. */
function generated(manifest: LoadedManifest, check: Component, streams: readonly ResolvedStream[]): ResolvedStream[] {
  const wanted = (check.dynamic_streams_check_configs as readonly Component[] | undefined) ?? []
  const known = dynamicStreamsOf(manifest).map(nameOfDynamic)
  return wanted.flatMap((asked) => {
    const { dynamic_stream_name: name, stream_count: most } = asked
    if (!known.some((one) => one === name)) {
      const message = `\`check\` names the dynamic stream \`${String(name)}\`, which the manifest does not have.`
      throw new ConnectorError('manifest/unknown-stream', message, { at: manifest.at(asked, 'dynamic_stream_name') })
    }
    const made = streams.filter(({ dynamic }) => dynamic === name)
    return typeof most === 'number' ? made.slice(0, Math.max(0, most)) : made
  })
}
