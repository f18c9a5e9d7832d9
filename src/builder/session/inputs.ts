/** Values for the inputs of a connector, to test with: those of the test config in use. In the memory of the tab only. */
import { createStoreByKey } from '../store.ts'
import { changeUsed, type Inputs, startConfigs, type TabConfigs, usedConfig } from './tab-configs.ts'

const byConnector = createStoreByKey<TabConfigs>()

export function useTabConfigs(connector: string): TabConfigs {
  return byConnector.use(connector, (all) => all ?? startConfigs)
}

export function changeTabConfigs(connector: string, change: (all: TabConfigs) => TabConfigs): void {
  const all = byConnector.get(connector) ?? startConfigs
  const changed = change(all)
  if (changed !== all) byConnector.set(connector, changed)
}

export function tabConfigsOf(connector: string): TabConfigs {
  return byConnector.get(connector) ?? startConfigs
}

export function useInputs(connector: string): Inputs {
  return byConnector.use(connector, (all) => usedConfig(all ?? startConfigs).inputs)
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
