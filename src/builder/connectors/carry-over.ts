/** What this browser knows of a connector that got another name: its test configs, and what was chosen for its syncs. */
import { changeTabConfigs, tabConfigsOf } from '../session/inputs.ts'
import { followConnector } from '../session/tab-configs.ts'
import { choicesOf, setChoices } from '../sync/choices/choices-store.ts'

export function carryOver(name: string, to: string): void {
  changeTabConfigs(to, () => followConnector(tabConfigsOf(name), name, to))
  setChoices(to, choicesOf(name))
}
