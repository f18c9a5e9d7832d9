/**
 * A test config with references → the config to read with, and the network that keeps its secrets to their origins.
 *
 * On this machine templates get the values, so that every way to sign works, and no request of the run may go elsewhere. On a
 * server that others can reach, the author of a manifest could show what its templates see: they get markers, and the values
 * take their place in requests as they leave.
 */
import { replaceVariables } from '../../connections/references.ts'
import { problem } from '../../engine/manifest/problem.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { ConnectorError, type Problem } from '../../std/errors.ts'
import { parseStoredReference } from '../wire/stored-reference.ts'
import type { WrapNetwork } from '../wrap-network.ts'
import { type Leaf, leafKey, type LeafPath, configLeaves, mapLeaves } from './config-leaves.ts'
import type { EnvironmentNames } from './environment-names.ts'
import { type BoundSecret, markerOf, onlyToOrigins, shortestHidden, withSecrets } from './secret-network.ts'
import { type TestConfigs, tooShort } from './test-configs.ts'

export type FilledConfig = { readonly config: Config; readonly wrapNetwork: WrapNetwork | undefined }

export type FillTools = {
  readonly testConfigs: Pick<TestConfigs, 'find'>
  readonly environment: Pick<EnvironmentNames, 'find'>
  readonly isShared: boolean
}

/** Throws once, with every reference that cannot be filled in. */
export async function fillTestConfig(config: Config, tools: FillTools): Promise<FilledConfig> {
  const problems: Problem[] = []
  const used = new Map<string, BoundSecret>()
  const filled = new Map<string, unknown>()
  for (const leaf of configLeaves(config)) {
    try {
      const value = await fillLeaf(leaf, used, tools)
      if (value !== leaf.value) filled.set(leafKey(leaf.path), value)
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error
      problems.push(problemAt(leaf.path, error))
    }
  }
  refuse(problems)
  if (used.size === 0 && filled.size === 0) return { config, wrapNetwork: undefined }
  const values = mapLeaves(config, ({ path, value }) => {
    const key = leafKey(path)
    return filled.has(key) ? filled.get(key) : value
  })
  const secrets = [...used.values()]
  const code = 'secrets/elsewhere'
  return { config: values, wrapNetwork: tools.isShared ? withSecrets(secrets, code) : onlyToOrigins(secrets, code) }
}

async function fillLeaf({ path, value }: Leaf, used: Map<string, BoundSecret>, tools: FillTools): Promise<unknown> {
  if (typeof value !== 'string') return value
  const reference = parseStoredReference(value)
  if (reference === null) {
    return replaceVariables(value, (name) => place(tools.environment.find(name), path, used, tools))
  }
  const { value: stored, origins } = await tools.testConfigs.find(reference)
  // A name of letters, digits and dots only, as markers need it; the number keeps two apart.
  const words = [reference.config, ...reference.path].join('.').replaceAll(/[^\w.-]/g, '_')
  const name = `stored.${used.size}.${words}`
  const title = `The stored \`${reference.path.join('.')}\` of “${reference.config}”`
  if (typeof stored === 'string')
    return place(withVariables({ name, title, value: stored, origins }, tools), path, used, tools)
  if (tools.isShared) throw tooShort(path)
  used.set(name, { name, title, value: String(stored), origins })
  return stored
}

/** `Bearer ${TOKEN}` that was stored as a secret goes only where both may go. */
function withVariables(secret: BoundSecret, { environment }: FillTools): BoundSecret {
  let { origins } = secret
  const value = replaceVariables(secret.value, (name) => {
    const variable = environment.find(name)
    origins = origins.filter((origin) => variable.origins.includes(origin))
    return variable.value
  })
  return { ...secret, value, origins }
}

function place(secret: BoundSecret, path: LeafPath, used: Map<string, BoundSecret>, { isShared }: FillTools): string {
  if (isShared && secret.value.length < shortestHidden) throw tooShort(path)
  used.set(secret.name, secret)
  return isShared ? markerOf(secret) : secret.value
}

function problemAt(path: LeafPath, { code, message, hint }: ConnectorError): Problem {
  const pointer = path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return problem(code, 'error', message, { pointer: `/config${pointer}` }, hint)
}

function refuse(problems: readonly Problem[]): void {
  const [first] = problems
  if (first === undefined) return
  const { code, message, at, hint } = first
  throw new ConnectorError(code, message, { at, hint, problems })
}

/** Each reference to the store → its value. */
export async function withStoredValues(config: Config, testConfigs: Pick<TestConfigs, 'find'>): Promise<Config> {
  const values = new Map<string, unknown>()
  for (const { path, value } of configLeaves(config)) {
    const reference = parseStoredReference(value)
    if (reference !== null) values.set(leafKey(path), (await testConfigs.find(reference)).value)
  }
  return mapLeaves(config, ({ path, value }) => {
    const key = leafKey(path)
    return values.has(key) ? values.get(key) : value
  })
}

/** What the page shows at the fields: the variables that a config names, and what is wrong with them. */
export type FoundVariable = {
  /** The input, the first part of the path. */
  readonly input: string
  readonly name: string
  readonly origins: readonly string[]
  readonly problem: string | null
}

export function referredVariables(config: Config, { environment }: Pick<FillTools, 'environment'>): FoundVariable[] {
  return configLeaves(config).flatMap(({ path: [input = ''], value }) => {
    if (typeof value !== 'string') return []
    const found: FoundVariable[] = []
    replaceVariables(value, (name) => {
      found.push({ input, name, ...lookUp(name, environment) })
      return ''
    })
    return found
  })
}

function lookUp(name: string, environment: FillTools['environment']): Pick<FoundVariable, 'origins' | 'problem'> {
  try {
    return { origins: environment.find(name).origins, problem: null }
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    return { origins: [], problem: `${error.message} ${error.hint}` }
  }
}
