/** A config as a platform hands it over → the values of the config, and the manifest and code that came with them. */
import type { Config } from '../engine/plan/plan.ts'
import { ConnectorError } from '../std/errors.ts'
import { isObject } from '../std/values/objects.ts'

/** Airbyte: platforms put these next to the values. They are no values, and the spec knows nothing of them. */
const manifestKey = '__injected_declarative_manifest'
const codeKey = '__injected_components_py'
const injectedKeys: readonly string[] = [manifestKey, codeKey, `${codeKey}_checksums`]

export type SplitConfig = {
  readonly config: Config
  /** Null where none came. */
  readonly manifest: object | null
  readonly hasPythonCode: boolean
  /** Every member that is no value, as it came: kept where the whole config is stored. */
  readonly injected: Config
}

export function splitConfig(given: Config): SplitConfig {
  const members = Object.entries(given)
  const isInjected = ([name]: readonly [string, unknown]) => injectedKeys.includes(name)
  const manifest = given[manifestKey]
  if (manifest !== undefined && !isObject(manifest)) {
    throw new ConnectorError('plan/invalid-config', `\`${manifestKey}\` in the config must be an object.`, {
      at: { pointer: `/${manifestKey}` },
      hint: 'Give the manifest itself there as JSON, or use --manifest-path.',
    })
  }
  return {
    config: Object.fromEntries(members.filter((one) => !isInjected(one))),
    manifest: manifest ?? null,
    hasPythonCode: (given[codeKey] ?? '') !== '',
    injected: Object.fromEntries(members.filter(isInjected)),
  }
}

/** For commands that neither a path nor a config gives a manifest to. */
export function noManifest(): ConnectorError {
  return new ConnectorError('cli/arguments', 'There is no manifest to run.', {
    hint: `Name one with --manifest-path, or put it into the config as \`${manifestKey}\`.`,
  })
}

/** What `spec` answers when there is no manifest yet: what a config has to bring. */
export const specWithoutManifest = {
  type: 'object',
  required: [manifestKey],
  additionalProperties: true,
  properties: {
    [manifestKey]: { type: 'object', title: 'Manifest', description: 'The low-code manifest of the connector.' },
  },
} as const

/** `where`: the file or the member of the config that the code is in. */
export function sayPythonCode(where: string): string {
  return (
    `${where} holds Python code, which Turnleaf does not run. Each class that the manifest names needs a TypeScript ` +
    'class in the folder of the connector; `turnleaf validate` lists them. Streams that name none are read.'
  )
}

export const injectedCode = `\`${codeKey}\` in the config`
