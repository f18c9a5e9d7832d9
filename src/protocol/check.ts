/** Manifest + config → CONNECTION_STATUS: whether the streams the manifest names for it can be read. */
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
import { withOverrides, withoutOverrides } from './check-overrides.ts'
import { streamsToCheck } from './check-streams.ts'
import { redactedError } from './failure.ts'
import { logMessage, type Message } from './messages.ts'
import { redactorFor } from './secrets.ts'

export type Check = {
  readonly messages: Message[]
  /** Why the connection failed, as it may be shown; null when it did not. */
  readonly failure: Error | null
}

/** Asks for one page of each stream. No record on it is fine; no request to make is not. The config is normalised. */
export async function checkConnection(
  manifest: LoadedManifest,
  config: Config,
  options: ReadOptions = {},
): Promise<Check> {
  const logs: Message[] = []
  let redact = redactorFor(manifest, config)
  try {
    // Airbyte: the rules are asked about the config as it was given, never about what holds during a check only.
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
        await askOnce(run, stream, options)
        logs.push(logMessage('INFO', `Stream "${name}" answers.`))
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

async function askOnce(run: Run, component: Component, options: ReadOptions): Promise<void> {
  const stream = await openStream(run, component, options)
  for await (const _ of readStream(stream, { ...options, maxPages: 1, prefetch: 'off', concurrency: 1 })) return
  const message = `Stream "${stream.plan.name}" has nothing to ask for: it has no slice.`
  throw new ConnectorError('plan/invalid-config', message, {
    hint: 'Check the start date and the lists that cut the stream; a parent stream without records leaves nothing either.',
  })
}
