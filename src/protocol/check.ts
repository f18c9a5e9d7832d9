/** Manifest + config → CONNECTION_STATUS: whether the streams that `check` names can be read. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { ConnectorError } from '../std/errors.ts'
import type { Component } from '../engine/manifest/manifest.ts'
import { validateConfig } from '../engine/config/normalize-config.ts'
import { openStream } from '../engine/opening/open-stream.ts'
import type { Config } from '../engine/plan/plan.ts'
import { readStream } from '../engine/pages/read-stream.ts'
import type { Run } from '../engine/run/run.ts'
import { streamsOf } from '../engine/streams-of.ts'
import { customToolsOf, openRunOf, type ReadOptions } from '../read.ts'
import { redactedError } from './failure.ts'
import { logMessage, type Message } from './messages.ts'
import { redactorFor } from './secrets.ts'
import { connectionSpecification } from '../engine/plan/config.ts'
import { isComponent } from '../engine/manifest/components.ts'
import { unknownStream } from '../engine/plan/stream.ts'
import { nameOfDynamic } from '../engine/plan/dynamic.ts'
import { dynamicStreamsOf, type ResolvedStream } from '../engine/streams/resolve-streams.ts'

type Check = {
  readonly messages: Message[]
  /** Why the connection failed, without secrets; null when it succeeded. */
  readonly failure: Error | null
}

/** Requests one page of each stream. A page without records is fine; a stream without slices is not. The config is normalized. */
export async function checkConnection(
  manifest: LoadedManifest,
  config: Config,
  options: ReadOptions = {},
): Promise<Check> {
  const logs: Message[] = []
  let redact = redactorFor(manifest, config)
  try {
    // Airbyte: the config is validated as given, without the overrides of the check.
    const leftOut = await validateConfig(manifest, config, customToolsOf(manifest))
    logs.push(...leftOut.map((text) => logMessage('WARN', text)))
    const { overridden, warnings } = withOverrides(manifest, config)
    logs.push(...warnings)
    const onConfig: ReadOptions['onConfig'] = (changed) =>
      options.onConfig?.(withoutOverrides(manifest, changed, config))
    const checked = { ...options, config: overridden, isNormalized: true, onConfig }
    const { run, close } = await openRunOf(manifest, checked)
    redact = run.redactor.text
    try {
      const streams = streamsToCheck(manifest, overridden, await streamsOf(run, options))
      for (const { name, stream } of streams) {
        await readOnePage(run, stream, options)
        logs.push(logMessage('INFO', `Stream "${name}" can be read.`))
      }
    } finally {
      await close()
    }
    return {
      messages: [...logs, { type: 'CONNECTION_STATUS', connectionStatus: { status: 'SUCCEEDED' } }],
      failure: null,
    }
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    const failure = redactedError(error, redact)
    const message = `${failure.message} ${redact(error.hint)}`
    return {
      messages: [...logs, { type: 'CONNECTION_STATUS', connectionStatus: { status: 'FAILED', message } }],
      failure,
    }
  }
}

async function readOnePage(run: Run, component: Component, options: ReadOptions): Promise<void> {
  const stream = await openStream(run, component, options)
  for await (const _ of readStream(stream, { ...options, maxPages: 1, prefetch: 'off', concurrency: 1 })) return
  const message = `Stream "${stream.plan.name}" has nothing to request: it has no slices.`
  throw new ConnectorError('plan/invalid-config', message, {
    hint: 'Check the start date, the lists of partitions, and that parent streams have records.',
  })
}

/** `check.config_overrides`: values for the check only. One level deep, as written: templates in them are not evaluated. */
function withOverrides(manifest: LoadedManifest, config: Config): { overridden: Config; warnings: Message[] } {
  const check = manifest.root.check as Component
  const overrides = (check.config_overrides as Config | undefined) ?? {}
  const names = Object.keys(overrides)
  if (names.length === 0) return { overridden: config, warnings: [] }

  const reserved = names.filter((name) => name.startsWith('__airbyte'))
  if (reserved.length > 0) throw refused(`${reserved.join(', ')} is reserved for the platform`)

  const declared = declaredIn(connectionSpecification(manifest))
  const undeclared = declared === null ? [] : names.filter((name) => !declared.has(name))
  const warning = `\`config_overrides\` of the check sets values that the spec does not declare: ${undeclared.join(', ')}.`
  return {
    overridden: { ...config, ...overrides },
    warnings: undeclared.length === 0 ? [] : [logMessage('WARN', warning)],
  }

  function refused(reason: string): ConnectorError {
    const message = `\`config_overrides\` cannot be used: ${reason}.`
    return new ConnectorError('manifest/invalid-value', message, {
      at: manifest.at(check, 'config_overrides'),
      hint: 'Remove the value from `config_overrides`.',
    })
  }
}

/** Removes the overrides from a config that the check changed, before it is saved. */
function withoutOverrides(manifest: LoadedManifest, changed: Config, config: Config): Config {
  const { config_overrides } = manifest.root.check as Component
  const overrides = new Map(Object.entries((config_overrides as Config | undefined) ?? {}))
  const members = Object.entries(changed).flatMap(([name, value]) => {
    if (!overrides.has(name) || overrides.get(name) !== value) return [[name, value]]
    return Object.hasOwn(config, name) ? [[name, config[name]]] : []
  })
  return Object.fromEntries(members) as Config
}

/** Every name the spec declares at its top; null when it declares none. */
function declaredIn(schema: unknown): ReadonlySet<string> | null {
  if (typeof schema !== 'object' || schema === null) return null
  const { properties, allOf = [], anyOf = [], oneOf = [] } = schema as Record<string, unknown>
  const choices = [allOf, anyOf, oneOf].flat().map(declaredIn)
  const here = typeof properties === 'object' && properties !== null ? [new Set(Object.keys(properties))] : []
  const all = [...here, ...choices.filter((names) => names !== null)]
  return all.length === 0 ? null : new Set(all.flatMap((names) => [...names]))
}

/** Platforms may select other streams to check under this key of the config. */
const namesKey = '__airbyte_check_stream_names'

function streamsToCheck(
  manifest: LoadedManifest,
  config: Config,
  streams: readonly ResolvedStream[],
): readonly ResolvedStream[] {
  const check = manifest.root.check as Component
  if (streams.length === 0) {
    throw new ConnectorError('plan/invalid-config', 'There is no stream to check: the config selects none.', {
      at: manifest.at(check),
      hint: 'Fill in the config values that streams are generated from.',
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
  throw new ConnectorError('plan/invalid-config', `\`${namesKey}\` must be a list of stream names.`)
}

function named(manifest: LoadedManifest, name: string, streams: readonly ResolvedStream[]): ResolvedStream {
  const found = streams.find((one) => one.name === name)
  if (found !== undefined) return found
  const there = streams.map((one) => one.name)
  throw unknownStream(manifest, name, there)
}

/** The first streams generated by each dynamic stream that is named. */
function generated(manifest: LoadedManifest, check: Component, streams: readonly ResolvedStream[]): ResolvedStream[] {
  const wanted = (check.dynamic_streams_check_configs as readonly Component[] | undefined) ?? []
  const known = dynamicStreamsOf(manifest).map(nameOfDynamic)
  return wanted.flatMap((selection) => {
    const { dynamic_stream_name: name, stream_count: most } = selection
    if (!known.some((one) => one === name)) {
      const message = `\`check\` names the dynamic stream \`${String(name)}\`, which the manifest does not have.`
      throw new ConnectorError('manifest/unknown-stream', message, {
        at: manifest.at(selection, 'dynamic_stream_name'),
      })
    }
    const made = streams.filter(({ dynamic }) => dynamic === name)
    return typeof most === 'number' ? made.slice(0, Math.max(0, most)) : made
  })
}
