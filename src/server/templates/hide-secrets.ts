/** A config → the same without its secrets, so that templates cannot reveal them. */
import type { Manifest } from '../../engine/manifest/manifest.ts'
import { secretsOf } from '../../engine/secrets/find-secrets.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { isCredentialName } from '../../engine/secrets/credential-names.ts'
import { isList, isObject } from '../../std/values/objects.ts'

/** Without a manifest, secrets are recognized by name. */
export function hideSecrets(config: Config, manifest: Manifest | null, mask = hidden): Config {
  const secrets = new Set(secretsOf(manifest, config))
  const hide = (value: unknown, name: string): unknown => {
    if (isList(value)) return value.map((member) => hide(member, name))
    if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, hide(one, key)]))
    const isSecret = secrets.has(String(value)) || (isCredentialName(name) && typeof value === 'string')
    return isSecret && value !== '' && value !== null ? mask : value
  }
  return hide(config, '') as Config
}

export const hidden = '••••'
