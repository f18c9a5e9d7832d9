/** check, discover, resolve and full_resolve: a manifest and a config → what clients of the manifest server expect. */
import { streamsOf } from '../../engine/streams-of.ts'
import { ConnectorError } from '../../std/errors.ts'
import { customToolsOf, openRunOf, type ReadOptions } from '../../read.ts'
import { checkConnection } from '../../protocol/check.ts'
import { discoverMessages } from '../../protocol/discover.ts'
import { type LoadedManifest, loadManifest } from '../../connector/load-manifest.ts'
import { normalizeConfig } from '../../engine/config/normalize-config.ts'
import type { Config } from '../../engine/plan/plan.ts'

/** How to read: egress, signal. A client that waits for one answer is better told of a failure than kept waiting. */
export type Asking = Pick<ReadOptions, 'egress' | 'signal' | 'limits'>

export const impatient: ReadOptions = { retry: { maxRetries: 0 } }

/** A connection that fails is an answer; a manifest that cannot be used is a problem. */
export async function checkGiven({ manifest: source, config: given = {} }: Given, asking: Asking) {
  const manifest = loadGiven({ manifest: source })
  try {
    const config = await configOf(manifest, given)
    const { failure } = await checkConnection(manifest, config, { ...impatient, ...asking })
    if (failure instanceof ConnectorError && failure.code.startsWith('manifest/')) throw failure
    return { success: failure === null, message: failure === null ? null : told(failure) }
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.code.startsWith('manifest/')) throw error
    return { success: false, message: told(error) }
  }
}

function told(failure: Error): string {
  return failure instanceof ConnectorError ? `${failure.message} ${failure.hint}` : failure.message
}

export async function discoverGiven({ manifest: source, config: given = {} }: Given, asking: Asking) {
  const manifest = loadGiven({ manifest: source })
  const config = await configOf(manifest, given)
  const messages = await discoverMessages(manifest, config, { ...impatient, ...asking })
  const found = messages.find((message) => message.type === 'CATALOG')
  return { catalog: found?.catalog ?? { streams: [] } }
}

/** References followed, parameters handed down, types and today's spellings filled in. */
export function resolveGiven({ manifest: source }: Pick<Given, 'manifest'>) {
  return { manifest: loadGiven({ manifest: source }).root }
}

/** The same with the streams that its templates make, which only the API may know. */
export async function fullResolveGiven(
  { manifest: source, config: given = {}, stream_limit: most }: Given & { readonly stream_limit: number },
  asking: Asking,
) {
  const manifest = loadGiven({ manifest: source })
  const config = await configOf(manifest, given)
  const { run, close } = await openRunOf(manifest, { ...impatient, ...asking, config, isNormalized: true })
  try {
    const counts = new Map<string, number>()
    const generated = (await streamsOf(run, asking)).filter(({ dynamic }) => {
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

/** What builders of the ecosystem add to manifests and configs for their own server. */
const flags = ['__should_normalize', '__should_migrate']

export function loadGiven({
  manifest,
  custom_components_code: code,
}: Pick<Given, 'manifest' | 'custom_components_code'>): LoadedManifest {
  // Whoever may send a request could otherwise run anything on this machine.
  if (code) throw new ConnectorError('server/custom-code', 'The request brings code, and none of it was run.')
  return loadManifest(Object.fromEntries(Object.entries(manifest).filter(([name]) => !flags.includes(name))))
}

async function configOf(manifest: LoadedManifest, given: Record<string, unknown>): Promise<Config> {
  const { config } = await normalizeConfig(manifest, given, customToolsOf(manifest))
  return config
}
