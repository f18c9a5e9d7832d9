/** `check.config_overrides` → the config with values that hold during a check only. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { ConnectorError } from '../std/errors.ts'
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

/** What holds during a check only must not be kept with a config that the check changed. */
export function withoutOverrides(manifest: LoadedManifest, changed: Config, config: Config): Config {
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
  const own = typeof properties === 'object' && properties !== null ? [new Set(Object.keys(properties))] : []
  const all = [...own, ...choices.filter((names) => names !== null)]
  return all.length === 0 ? null : new Set(all.flatMap((names) => [...names]))
}
