/** Values for the inputs of a connector, to test with: those of the test config in use. In the memory of the tab. */
import { parseJson } from '../../std/json.ts'
import { recall, remember } from '../local-storage.ts'
import { createStoreByKey } from '../store.ts'
import { changeUsed, type Inputs, startConfigs, type TabConfigs, usedConfig } from './tab-configs.ts'

const byConnector = createStoreByKey<TabConfigs>()
const storedAt = (connector: string) => `test-configs:${connector}`

export function useTabConfigs(connector: string): TabConfigs {
  return byConnector.use(connector, (all) => all ?? tabConfigsOf(connector))
}

export function changeTabConfigs(connector: string, change: (all: TabConfigs) => TabConfigs): void {
  const all = tabConfigsOf(connector)
  const changed = change(all)
  if (changed !== all) byConnector.set(connector, changed)
}

export function tabConfigsOf(connector: string): TabConfigs {
  return byConnector.get(connector) ?? reloadedConfigs(connector)
}

/** Read once, and apart from the store: components ask while they are drawn, when nothing may change. */
const reloaded = new Map<string, TabConfigs>()

function reloadedConfigs(connector: string): TabConfigs {
  const known = reloaded.get(connector) ?? readStored(recall(storedAt(connector), 'sessionStorage'))
  reloaded.set(connector, known)
  return known
}

function readStored(text: string | null): TabConfigs {
  try {
    return text === null ? startConfigs : (parseJson(text).value as TabConfigs)
  } catch {
    return startConfigs
  }
}

/** For the same tab after a reload; null for nothing. */
export function storeTabConfigs(connector: string, text: string | null): void {
  remember(storedAt(connector), text, 'sessionStorage')
}

export function useInputs(connector: string): Inputs {
  return byConnector.use(connector, (all) => usedConfig(all ?? tabConfigsOf(connector)).inputs)
}

export function inputsOf(connector: string): Inputs {
  return usedConfig(tabConfigsOf(connector)).inputs
}

export function setInputs(connector: string, inputs: Inputs): void {
  changeTabConfigs(connector, (all) => changeUsed(all, { inputs }))
}

/** Undefined takes the value away. */
export function setInput(connector: string, name: string, value: unknown): void {
  const { [name]: _, ...others } = inputsOf(connector)
  setInputs(connector, value === undefined ? others : { ...others, [name]: value })
}
