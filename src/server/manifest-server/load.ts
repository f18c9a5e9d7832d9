/** What a request of the manifest server brought → a manifest and a config to read with. */
import { type LoadedManifest, loadManifest } from '../../connector/load-manifest.ts'
import { normalizeConfig } from '../../engine/config/normalize-config.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { ConnectorError } from '../../std/errors.ts'
import { customToolsOf } from '../../read.ts'

export type Given = {
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

export async function configOf(manifest: LoadedManifest, given: Record<string, unknown>): Promise<Config> {
  const { config } = await normalizeConfig(manifest, given, customToolsOf(manifest))
  return config
}
