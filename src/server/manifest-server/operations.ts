/** check, discover, resolve and full_resolve: a manifest and a config → what clients of the manifest server expect. */
import { streamsOf } from '../../engine/streams-of.ts'
import { ConnectorError, stageOf } from '../../std/errors.ts'
import { customToolsOf, openRunOf, type ReadOptions } from '../../read.ts'
import { checkConnection } from '../../protocol/check.ts'
import { discoverMessages } from '../../protocol/discover.ts'
import { type LoadedManifest, loadManifest } from '../../connector/load-manifest.ts'
import { normalizeConfig } from '../../engine/config/normalize-config.ts'
import type { Config } from '../../engine/plan/plan.ts'

/** How to read: egress, signal, limits. */
export type OperationTools = Pick<ReadOptions, 'egress' | 'signal' | 'limits' | 'network'>

/** Clients wait for one response: they get a failure at once instead of retries. */
export const withoutRetries: ReadOptions = { retry: { maxRetries: 0 } }

/** A failed connection is a result; an invalid manifest is a problem. */
export async function checkGiven({ manifest: source, config: given = {} }: Given, tools: OperationTools) {
  return checkLoaded(loadGiven({ manifest: source }), given, tools)
}

export async function checkLoaded(manifest: LoadedManifest, given: Config, tools: OperationTools) {
  try {
    const config = await configOf(manifest, given)
    const { failure } = await checkConnection(manifest, config, { ...withoutRetries, ...tools })
    if (failure instanceof ConnectorError && stageOf(failure.code) === 'manifest') throw failure
    return { success: failure === null, message: failure === null ? null : sayFailure(failure) }
  } catch (error) {
    if (!(error instanceof ConnectorError) || stageOf(error.code) === 'manifest') throw error
    return { success: false, message: sayFailure(error) }
  }
}

function sayFailure(failure: Error): string {
  return failure instanceof ConnectorError ? `${failure.message} ${failure.hint}` : failure.message
}

export async function discoverGiven({ manifest: source, config: given = {} }: Given, tools: OperationTools) {
  const manifest = loadGiven({ manifest: source })
  const config = await configOf(manifest, given)
  const messages = await discoverMessages(manifest, config, { ...withoutRetries, ...tools })
  const found = messages.find((message) => message.type === 'CATALOG')
  return { catalog: found?.catalog ?? { streams: [] } }
}

/** With references and parameters resolved, types filled in, and old spellings replaced. */
export function resolveGiven({ manifest: source }: Pick<Given, 'manifest'>) {
  return { manifest: loadGiven({ manifest: source }).root }
}

/** The same with the streams that its templates generate, which may need requests. */
export async function fullResolveGiven(
  { manifest: source, config: given = {}, stream_limit: most }: Given & { readonly stream_limit: number },
  tools: OperationTools,
) {
  const manifest = loadGiven({ manifest: source })
  const config = await configOf(manifest, given)
  const { run, close } = await openRunOf(manifest, { ...withoutRetries, ...tools, config, isNormalized: true })
  try {
    const counts = new Map<string, number>()
    const generated = (await streamsOf(run, tools)).filter(({ dynamic }) => {
      if (dynamic === null) return false
      const count = (counts.get(dynamic) ?? 0) + 1
      counts.set(dynamic, count)
      return count <= most
    })
    const streams = [
      ...manifest.streams.map((stream) => ({ ...stream, dynamic_stream_name: null })),
      ...generated.map(({ stream, dynamic }) => ({ ...stream, dynamic_stream_name: dynamic })),
    ]
    return { manifest: { ...manifest.root, streams } }
  } finally {
    await close()
  }
}

type Given = {
  readonly manifest: Record<string, unknown>
  readonly config?: Record<string, unknown>
  readonly custom_components_code?: string | null | undefined
}

/** Added to manifests by Airbyte's builder for its own server. */
const flags = ['__should_normalize', '__should_migrate']

export function loadGiven({
  manifest,
  custom_components_code: code,
}: Pick<Given, 'manifest' | 'custom_components_code'>): LoadedManifest {
  // Otherwise every client could run code on this machine.
  if (code) throw new ConnectorError('server/custom-code', 'The request contains code, which was not run.')
  return loadManifest(Object.fromEntries(Object.entries(manifest).filter(([name]) => !flags.includes(name))))
}

async function configOf(manifest: LoadedManifest, given: Config): Promise<Config> {
  const { config } = await normalizeConfig(manifest, given, customToolsOf(manifest))
  return config
}
