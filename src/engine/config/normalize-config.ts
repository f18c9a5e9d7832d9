/** A config as given × the rules of the spec → the config to read with. */
import { stringifyJson } from '../../std/json.ts'
import type { CustomTools } from '../custom/component.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { checkConfig } from '../plan/config.ts'
import { secretsOf } from '../secrets/find-secrets.ts'
import { planConfigRules } from '../plan/config-rules.ts'
import type { Config } from '../plan/plan.ts'
import { createRedactor } from '../secrets/redact.ts'
import { changeConfig } from './change-config.ts'
import { validateValues } from './validate-config.ts'

export type NormalizedConfig = {
  /** What to read with. */
  readonly config: Config
  /** The config to store instead; null when nothing changed. */
  readonly migrated: Config | null
}

/**
 * Migrates the config, then derives what the manifest wants derived. Not twice: a change need not come out the same
 * when it is applied to its own result.
 *
 * @example const { config, migrated } = await normalizeConfig(manifest, given, {})
 */
export async function normalizeConfig(
  manifest: Manifest,
  given: Config,
  tools: CustomTools,
): Promise<NormalizedConfig> {
  const { migrations, transformations } = planConfigRules(manifest)
  // Airbyte: an empty config is not changed.
  if (Object.keys(given).length === 0) return { config: given, migrated: null }
  let latest = given
  try {
    latest = await changeConfig(migrations, given, tools)
    const migrated = stringifyJson(latest) === stringifyJson(given) ? null : latest
    return { config: await changeConfig(transformations, latest, tools), migrated }
  } catch (error) {
    throw createRedactor([...secretsOf(manifest, given), ...secretsOf(manifest, latest)]).error(error)
  }
}

/**
 * Throws when a normalised config does not fit the spec, or does not pass the manifest's own validations. Gives what
 * could not be checked, to be shown as warnings.
 */
export async function validateConfig(manifest: Manifest, config: Config, tools: CustomTools): Promise<string[]> {
  try {
    checkConfig(manifest, config)
    return await validateValues(planConfigRules(manifest).validations, config, tools)
  } catch (error) {
    throw createRedactor(secretsOf(manifest, config)).error(error)
  }
}
