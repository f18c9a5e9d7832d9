/** `check.config_overrides` → the config with values that hold during a check only. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { ConnectorError } from '../errors.ts'
import type { Component } from '../engine/manifest/manifest.ts'
import { connectionSpecification } from '../engine/plan/config.ts'
import type { Config } from '../engine/plan/plan.ts'
import { logMessage, type Message } from './messages.ts'

/** One level deep, as written: no template is evaluated in them. */
export function withOverrides(manifest: LoadedManifest, config: Config): { overridden: Config; warnings: Message[] } {
  const check = manifest.root.check as Component
  const overrides = (check.config_overrides as Config | undefined) ?? {}
  const names = Object.keys(overrides)
  if (names.length === 0) return { overridden: config, warnings: [] }

  const reserved = names.filter((name) => name.startsWith('__airbyte'))
  if (reserved.length > 0) throw refused(`${reserved.join(', ')} belongs to the platform`)
  // A refreshed token makes the platform keep the whole config, and these values with it.
  if (keepsConfig(manifest.root)) throw refused('the manifest has a `refresh_token_updater`, which would keep them')

  const declared = declaredIn(connectionSpecification(manifest))
  const strange = declared === null ? [] : names.filter((name) => !declared.has(name))
  const warning = `\`config_overrides\` of the check sets what the spec does not have: ${strange.join(', ')}.`
  return {
    overridden: { ...config, ...overrides },
    warnings: strange.length === 0 ? [] : [logMessage('WARN', warning)],
  }

  function refused(reason: string): ConnectorError {
    const message = `\`config_overrides\` cannot be used: ${reason}.`
    return new ConnectorError('manifest/invalid-value', message, {
      at: manifest.at(check, 'config_overrides'),
      hint: 'Remove the value from `config_overrides`.',
    })
  }
}

/** Whether an authenticator anywhere writes the config back. */
function keepsConfig(node: unknown, seen = new Set<unknown>()): boolean {
  if (typeof node !== 'object' || node === null || seen.has(node)) return false
  seen.add(node)
  const { type, refresh_token_updater: updater } = node as Record<string, unknown>
  const isAuthenticator = type === 'OAuthAuthenticator' || type === 'CustomAuthenticator'
  if (isAuthenticator && updater !== undefined && updater !== null) return true
  return Object.values(node).some((member) => keepsConfig(member, seen))
}

/** Every name the spec declares at its top; null when it declares none. */
function declaredIn(schema: unknown): ReadonlySet<string> | null {
  if (typeof schema !== 'object' || schema === null) return null
  const { properties, allOf = [], anyOf = [], oneOf = [] } = schema as Record<string, unknown>
  const choices = [allOf, anyOf, oneOf].flat().map(declaredIn)
  const own = typeof properties === 'object' && properties !== null ? [new Set(Object.keys(properties))] : []
  const all = [...own, ...choices.filter((names) => names !== null)]
  return all.length === 0 ? null : new Set(all.flatMap((names) => [...names]))
}
