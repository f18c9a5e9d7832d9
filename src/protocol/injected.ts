/** A config from a platform → the config values, and the manifest and code that were injected. */
import type { Config } from '../engine/plan/plan.ts'
import { ConnectorError } from '../std/errors.ts'
import { isObject } from '../std/values/objects.ts'

/** Airbyte: platforms add these keys to the config. They are not in the spec. */
const manifestKey = '__injected_declarative_manifest'
const codeKey = '__injected_components_py'
const injectedKeys: readonly string[] = [manifestKey, codeKey, `${codeKey}_checksums`]

export type SplitConfig = {
  readonly config: Config
  /** Null where there is none. */
  readonly manifest: object | null
  readonly hasPythonCode: boolean
  /** The injected members, to be kept when the config is saved. */
  readonly injected: Config
}

export function splitConfig(given: Config): SplitConfig {
  const members = Object.entries(given)
  const isInjected = ([name]: readonly [string, unknown]) => injectedKeys.includes(name)
  const manifest = given[manifestKey]
  if (manifest !== undefined && !isObject(manifest)) {
    throw new ConnectorError('plan/invalid-config', `\`${manifestKey}\` in the config must be an object.`, {
      at: { pointer: `/${manifestKey}` },
      hint: 'Put the manifest there as JSON, or use --manifest-path.',
    })
  }
  return {
    config: Object.fromEntries(members.filter((one) => !isInjected(one))),
    manifest: manifest ?? null,
    hasPythonCode: (given[codeKey] ?? '') !== '',
    injected: Object.fromEntries(members.filter(isInjected)),
  }
}

export function noManifest(): ConnectorError {
  return new ConnectorError('cli/arguments', 'There is no manifest.', {
    hint: `Give its path with --manifest-path, or put it into the config as \`${manifestKey}\`.`,
  })
}

/** The spec when there is no manifest: the config has to contain one. */
export const specWithoutManifest = {
  type: 'object',
  required: [manifestKey],
  additionalProperties: true,
  properties: {
    [manifestKey]: { type: 'object', title: 'Manifest', description: 'The low-code manifest of the connector.' },
  },
} as const

/** @param where the file, or the member of the config, with the code. */
export function sayPythonCode(where: string): string {
  return (
    `${where} contains Python code, which Turnleaf does not run. Each class that the manifest names needs a TypeScript ` +
    'class in the folder of the connector; `npx turnleaf validate` lists them. Streams without custom classes are read.'
  )
}

export const injectedCode = `\`${codeKey}\` in the config`
