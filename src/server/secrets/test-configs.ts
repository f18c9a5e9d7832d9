/** Named test configs of connectors, in the store: their secrets go in, and never come out to a page. */
import { randomUUID } from 'node:crypto'
import { isOnlyReferences } from '../../connections/references.ts'
import { follow } from '../../document/follow.ts'
import { openDocument } from '../../document/open-document.ts'
import { checkManifest } from '../../engine/manifest/check.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { secretsIn } from '../../engine/secrets/find-secrets.ts'
import { ConnectorError } from '../../std/errors.ts'
import { hideSecrets } from '../templates/hide-secrets.ts'
import { parseStoredReference, type StoredReference, writeStoredReference } from '../wire/stored-reference.ts'
import type { TestConfig } from '../wire/test-config.ts'
import { type Leaf, leafKey, type LeafPath, configLeaves, mapLeaves } from './config-leaves.ts'
import type { SecretStore } from './secret-store.ts'
import { shortestHidden } from './secret-network.ts'

type Stored = {
  /** By chance: a hash of the values would be a way to test guesses. */
  readonly version: string
  readonly values: Config
  /** Which of the values are secrets. */
  readonly secrets: readonly LeafPath[]
  readonly origins: readonly string[]
}

/** By connector, then by name. */
export type StoreContent = Readonly<Record<string, Readonly<Record<string, Stored>>>>

export type ConfigToKeep = {
  readonly connector: string
  readonly name: string
  readonly values: Config
  /** The manifest: it says which values are secrets. */
  readonly text: string
  readonly origins: readonly string[]
  /** The version that was changed; null for a new one. */
  readonly basedOn: string | null
}

export type TestConfigs = {
  readonly list: (connector: string) => Promise<TestConfig[]>
  readonly keep: (config: ConfigToKeep) => Promise<TestConfig>
  readonly remove: (connector: string, name: string, basedOn: string) => Promise<void>
  /** They follow their connector. Those in a store that is locked stay under the old name. */
  readonly rename: (connector: string, to: string) => Promise<void>
  /** The value of a reference, and where it may be sent. Throws where it is not stored. */
  readonly find: (reference: StoredReference) => Promise<StoredSecret>
}

export type StoredSecret = { readonly value: unknown; readonly origins: readonly string[] }

/** @param isShared whether others can reach the server: what they must not learn, they must not be able to redirect either. */
export function openTestConfigs(store: SecretStore<StoreContent>, isShared: boolean): TestConfigs {
  return {
    async list(connector) {
      const configs = inside(await store.read(), connector) ?? {}
      return Object.entries(configs).map(([name, stored]) => shown(connector, name, stored))
    },
    async keep(config) {
      const { connector, name } = config
      await store.change((content) => {
        refuseChanged(content, config)
        const stored = toStored(content, config, isShared)
        return { ...content, [connector]: { ...inside(content, connector), [name]: stored } }
      })
      return shown(connector, name, storedIn(await store.read(), connector, name))
    },
    async remove(connector, name, basedOn) {
      await store.change((content) => {
        refuseChanged(content, { connector, name, basedOn })
        const { [name]: _, ...others } = inside(content, connector) ?? {}
        return { ...content, [connector]: others }
      })
    },
    async rename(connector, to) {
      if ((await store.status()).state !== 'unlocked') return
      await store.change((content) => {
        const { [connector]: moved, ...others } = content
        return moved === undefined ? content : { ...others, [to]: { ...inside(content, to), ...moved } }
      })
    },
    find: async (reference) => secretAt(await store.read(), reference),
  }
}

function inside<T>(members: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined
}

function storedIn(content: StoreContent, connector: string, name: string): Stored {
  const found = inside(inside(content, connector) ?? {}, name)
  if (found !== undefined) return found
  throw new ConnectorError('secrets/not-stored', `The test config “${name}” of ${connector} is not in the store.`)
}

function secretAt(content: StoreContent, { connector, config, path }: StoredReference): StoredSecret {
  const { values, origins } = storedIn(content, connector, config)
  const found = configLeaves(values).find((leaf) => leafKey(leaf.path) === leafKey(path))
  if (found !== undefined) return { value: found.value, origins }
  throw new ConnectorError('secrets/not-stored', `\`${path.join('.')}\` is not stored in the test config “${config}”.`)
}

function refuseChanged(
  content: StoreContent,
  { connector, name, basedOn }: Pick<ConfigToKeep, 'connector' | 'name' | 'basedOn'>,
): void {
  const there = inside(inside(content, connector) ?? {}, name)
  if (there === undefined && basedOn === null) return
  if (there === undefined) {
    throw new ConnectorError('server/not-found', `The test config “${name}” was deleted or renamed meanwhile.`)
  }
  if (basedOn === null) throw new ConnectorError('server/exists', `There is a test config “${name}” already.`)
  if (there.version === basedOn) return
  throw new ConnectorError('server/changed-meanwhile', `The test config “${name}” was changed meanwhile.`)
}

function toStored(content: StoreContent, { values: given, text, origins }: ConfigToKeep, isShared: boolean): Stored {
  const taken = new Map<string, StoredSecret>()
  const values = mapLeaves(given, ({ path, value }) => {
    const reference = parseStoredReference(value)
    if (reference === null) return value
    const secret = secretAt(content, reference)
    taken.set(leafKey(path), secret)
    return secret.value
  })
  const isSecret = secretTest(values, text)
  const secrets = configLeaves(values)
    .filter(({ path, value }) => {
      if (taken.has(leafKey(path))) return true
      const isReference = typeof value === 'string' && isOnlyReferences(value)
      return !isReference && isSecret({ path, value })
    })
    .map(({ path }) => path)
  if (isShared) refuseExposed(values, secrets, taken, origins)
  return { version: randomUUID(), values, secrets, origins }
}

/** A manifest with errors still says which inputs are secrets; without one that can be parsed, every text may be one. */
function secretTest(values: Config, text: string): (leaf: Leaf) => boolean {
  const { value: root, problem } = openDocument(text)
  if (problem !== null) return ({ value }) => typeof value === 'string'
  const declared = new Set(secretsIn(follow(root, ['spec', 'connection_specification']).value, values))
  const masked = configLeaves(hideSecrets(values, checkManifest(text).manifest))
  const unmasked = new Map(masked.map(({ path, value }) => [leafKey(path), value]))
  return ({ path, value }) => declared.has(String(value)) || unmasked.get(leafKey(path)) !== value
}

function refuseExposed(
  values: Config,
  secrets: readonly LeafPath[],
  taken: ReadonlyMap<string, StoredSecret>,
  origins: readonly string[],
): void {
  const known = new Set(secrets.map(leafKey))
  for (const { path, value } of configLeaves(values)) {
    if (!known.has(leafKey(path))) continue
    const secret = taken.get(leafKey(path))
    const added = secret === undefined ? [] : origins.filter((origin) => !secret.origins.includes(origin))
    if (added.length > 0) {
      const message = `\`${path.join('.')}\` was stored for other addresses than ${added.join(', ')}.`
      throw new ConnectorError('secrets/enter-again', message)
    }
    if (typeof value !== 'string' || value.length < shortestHidden) throw tooShort(path)
  }
}

export function tooShort(path: LeafPath): ConnectorError {
  const message = `\`${path.join('.')}\` has fewer than ${shortestHidden} characters, so it could not be hidden in responses.`
  return new ConnectorError('secrets/too-short', message)
}

function shown(connector: string, name: string, stored: Stored): TestConfig {
  const secrets = new Set(stored.secrets.map(leafKey))
  const values = mapLeaves(stored.values, ({ path, value }) =>
    secrets.has(leafKey(path)) ? writeStoredReference({ connector, config: name, path }) : value,
  )
  return { name, version: stored.version, values, origins: [...stored.origins] }
}
