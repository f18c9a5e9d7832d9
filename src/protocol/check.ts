/** Manifest + config → CONNECTION_STATUS: whether the streams the manifest names for it can be read. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { ConnectorError } from '../errors.ts'
import { openTokens } from '../engine/auth/tokens.ts'
import { isComponent } from '../engine/manifest/components.ts'
import type { Component } from '../engine/manifest/manifest.ts'
import { checkConfig } from '../engine/plan/config.ts'
import type { Config } from '../engine/plan/plan.ts'
import { planStream } from '../engine/plan/stream.ts'
import { type ReadOptions, readPages } from '../read.ts'
import { redactedError } from './failure.ts'
import { logMessage, type Message } from './messages.ts'
import { redactorFor } from './secrets.ts'

export type Check = {
  readonly messages: Message[]
  /** Why the connection failed, as it may be shown; null when it did not. */
  readonly failure: Error | null
}

/** Asks for one page of each stream. No record on it is fine; no request to make is not. */
export async function checkConnection(
  manifest: LoadedManifest,
  config: Config,
  options: ReadOptions = {},
): Promise<Check> {
  let redact = redactorFor(manifest, config)
  const logs: Message[] = []
  const onNotice: ReadOptions['onNotice'] = (notice) => {
    options.onNotice?.(notice)
    if (notice.kind === 'retry') logs.push(logMessage('WARN', redact(`Asking again: ${notice.reason}`)))
  }
  const check = manifest.root.check as Component
  const tokens = options.tokens ?? openTokens()
  const onConfig: ReadOptions['onConfig'] = (changed) => options.onConfig?.(withoutOverrides(changed, config, check))
  try {
    checkConfig(manifest, config)
    for (const stream of streamNames(manifest, check)) {
      // Airbyte: values that hold during a check only.
      const checked = { ...config, ...(check.config_overrides as Config | undefined) }
      redact = redactorFor(manifest, checked, planStream(manifest, stream, checked))
      await askOnce(manifest, stream, { ...options, config: checked, tokens, onNotice, onConfig })
      logs.push(logMessage('INFO', `Stream "${stream}" answers.`))
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
  } finally {
    if (options.tokens === undefined) await tokens.close()
  }
}

/** What holds during a check only must not be kept with a config that the check changed. */
function withoutOverrides(changed: Config, config: Config, { config_overrides }: Component): Config {
  const overrides = new Map(Object.entries((config_overrides as Config | undefined) ?? {}))
  const members = Object.entries(changed).flatMap(([name, value]) => {
    if (!overrides.has(name) || overrides.get(name) !== value) return [[name, value]]
    return Object.hasOwn(config, name) ? [[name, config[name]]] : []
  })
  return Object.fromEntries(members) as Config
}

function streamNames(manifest: LoadedManifest, check: Component): readonly string[] {
  if (isComponent(check, 'CheckStream')) return check.stream_names ?? []
  const message = `\`check\` uses what this version cannot run yet: ${check.type}.`
  throw new ConnectorError('manifest/unsupported-component', message, {
    at: manifest.at(check),
    hint: 'Use a CheckStream; reading does not need `check`.',
  })
}

async function askOnce(manifest: LoadedManifest, stream: string, options: ReadOptions): Promise<void> {
  const pages = readPages(manifest, { ...options, stream, maxPages: 1, prefetch: 'off' })
  const { done } = await pages.next()
  await pages.return(undefined)
  if (!done) return
  const message = `Stream "${stream}" has nothing to ask for: it has no slice.`
  throw new ConnectorError('plan/invalid-config', message, {
    hint: 'Check the start date and the lists that cut the stream.',
  })
}
