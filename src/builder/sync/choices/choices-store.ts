/** The choices of each connector: kept by this browser, without the address of a database. */
import { stringifyJson } from '../../../std/json.ts'
import { recall, remember } from '../../local-storage.ts'
import { createStoreByKey } from '../../store.ts'
import { parseChoices, type SyncChoices } from './sync-choices.ts'

const byConnector = createStoreByKey<SyncChoices>()

export function choicesOf(connector: string): SyncChoices {
  const known = byConnector.get(connector)
  if (known !== undefined) return known
  const stored = parseChoices(recall(`sync-${connector}`))
  byConnector.set(connector, stored)
  return stored
}

export function useChoices(connector: string): SyncChoices {
  return byConnector.use(connector, (choices) => choices ?? choicesOf(connector))
}

export function setChoices(connector: string, changed: Partial<SyncChoices>): void {
  const next = { ...choicesOf(connector), ...changed }
  byConnector.set(connector, next)
  remember(`sync-${connector}`, stringifyJson({ ...next, address: '' }))
}
