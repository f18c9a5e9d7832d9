/** The named test configs of one connector, as a tab has them: one is in use, and some are kept on the server. */
import { parseStoredReference, writeStoredReference } from '../../server/wire/stored-reference.ts'
import type { TestConfig } from '../../server/wire/test-config.ts'
import { isSame } from '../../document/value-path.ts'

export type Inputs = Readonly<Record<string, unknown>>

export type TabConfig = {
  readonly name: string
  readonly inputs: Inputs
  /** Where its secrets may be sent. */
  readonly origins: readonly string[]
  /** As the server has it; null for one that is in this tab only. */
  readonly kept: TestConfig | null
  /** Names of inputs whose values were in the memory of the tab when it was reloaded. */
  readonly emptied?: readonly string[]
}

export type TabConfigs = { readonly used: string; readonly configs: readonly TabConfig[] }

const none: Inputs = {}
const fresh = (name: string): TabConfig => ({ name, inputs: none, origins: [], kept: null })

/** What every connector starts with. */
export const startConfigs: TabConfigs = { used: 'default', configs: [fresh('default')] }

export function usedConfig({ used, configs }: TabConfigs): TabConfig {
  return configs.find(({ name }) => name === used) ?? configs[0] ?? fresh(used)
}

export function chooseConfig(all: TabConfigs, name: string): TabConfigs {
  return { ...all, used: name }
}

/** Inputs that had a value before the tab was reloaded, and have none now. */
export function emptiedNames({ inputs, emptied = [] }: TabConfig): string[] {
  return emptied.filter((name) => !Object.hasOwn(inputs, name))
}

/** Changes the one in use. */
export function changeUsed(all: TabConfigs, change: Partial<Omit<TabConfig, 'name'>>): TabConfigs {
  const { name } = usedConfig(all)
  return { used: name, configs: all.configs.map((one) => (one.name === name ? { ...one, ...change } : one)) }
}

export function addConfig(all: TabConfigs, name: string): TabConfigs {
  return { used: name, configs: [...all.configs, fresh(name)] }
}

/** In this tab only, until it is kept; its references to stored secrets still work. */
export function duplicateConfig(all: TabConfigs): TabConfigs {
  const { name, inputs, origins } = usedConfig(all)
  const copy = freeConfigName(all, `${name} copy`)
  return { used: copy, configs: [...all.configs, { name: copy, inputs, origins, kept: null }] }
}

export function renameConfig(all: TabConfigs, to: string): TabConfigs {
  const { name } = usedConfig(all)
  return { used: to, configs: all.configs.map((one) => (one.name === name ? { ...one, name: to } : one)) }
}

/** The connector has another name: its references to stored secrets follow. */
export function followConnector(all: TabConfigs, connector: string, to: string): TabConfigs {
  return JSON.parse(JSON.stringify(all), (_, value: unknown) => {
    const reference = parseStoredReference(value)
    return reference?.connector === connector ? writeStoredReference({ ...reference, connector: to }) : value
  }) as TabConfigs
}

/** There is always one. */
export function removeConfig(all: TabConfigs, name: string): TabConfigs {
  const configs = all.configs.filter((one) => one.name !== name)
  const [first = fresh('default')] = configs
  return { used: all.used === name ? first.name : all.used, configs: configs.length === 0 ? [first] : configs }
}

/** The server has it like this now. */
export function markKept(all: TabConfigs, kept: TestConfig): TabConfigs {
  const config = fromKept(kept)
  const isKnown = all.configs.some(({ name }) => name === kept.name)
  const configs = all.configs.map((one) => (one.name === kept.name ? config : one))
  return { ...all, configs: isKnown ? configs : [...configs, config] }
}

/** What the server has, into what the tab has. Changes that were made here stay, and so does what is in this tab only. */
export function takeKept(all: TabConfigs, listed: readonly TestConfig[]): TabConfigs {
  const here = all.configs.flatMap((config): TabConfig[] => {
    const kept = listed.find(({ name }) => name === config.name)
    if (kept === undefined) return config.kept === null || isChanged(config) ? [{ ...config, kept: null }] : []
    // Changed in both places: keeping it is refused, as it is based on the older version.
    return [config.kept !== null && !isChanged(config) ? fromKept(kept) : config]
  })
  const added = listed.filter(({ name }) => !here.some((one) => one.name === name)).map(fromKept)
  const [only] = here
  // A tab that was just opened continues with what is kept.
  const isUntouched = here.length === 1 && only !== undefined && only.kept === null && isEmpty(only)
  const configs = isUntouched && added.length > 0 ? added : [...here, ...added]
  const next = { used: all.used, configs: configs.length === 0 ? startConfigs.configs : configs }
  return { ...next, used: usedConfig(next).name }
}

function fromKept(kept: TestConfig): TabConfig {
  return { name: kept.name, inputs: kept.values, origins: kept.origins, kept }
}

function isEmpty(config: TabConfig): boolean {
  return Object.keys(config.inputs).length + emptiedNames(config).length === 0
}

/** Whether it differs from what the server has. */
export function isChanged({ inputs, origins, kept }: TabConfig): boolean {
  return kept !== null && !(isSame(inputs, kept.values) && isSame(origins, kept.origins))
}

/** Why a config cannot have this name; null when it can. */
export function configNameFault({ configs }: TabConfigs, name: string): string | null {
  if (!/^[A-Za-z0-9][A-Za-z0-9 _.-]{0,39}$/.test(name)) return 'Letters, digits, spaces, . _ and -, at most 40.'
  return configs.some((one) => one.name === name) ? 'Another test config has this name.' : null
}

export function freeConfigName(all: TabConfigs, wished: string): string {
  const start = wished.slice(0, 36)
  let name = start
  for (let count = 2; configNameFault(all, name) !== null && count < 1000; count++) name = `${start} ${count}`
  return name
}
