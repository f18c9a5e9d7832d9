/** Values for the inputs of a connector, to test with. Kept for as long as the tab lives, and nowhere else. */
import { createStoreByKey } from '../store.ts'

export type Inputs = Readonly<Record<string, unknown>>

const none: Inputs = {}
const byConnector = createStoreByKey<Inputs>()

export function useInputs(connector: string): Inputs {
  return byConnector.use(connector, (inputs) => inputs ?? none)
}

export function inputsOf(connector: string): Inputs {
  return byConnector.get(connector) ?? none
}

export function setInputs(connector: string, inputs: Inputs): void {
  byConnector.set(connector, inputs)
}

/** Undefined takes the value away. */
export function setInput(connector: string, name: string, value: unknown): void {
  const { [name]: _, ...others } = inputsOf(connector)
  setInputs(connector, value === undefined ? others : { ...others, [name]: value })
}
