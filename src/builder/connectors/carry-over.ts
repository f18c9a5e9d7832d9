/** What this browser knows of a connector that got another name: its test configs, what was chosen for its syncs, and unsaved text. */
import { changeTabConfigs, tabConfigsOf } from '../session/inputs.ts'
import { followConnector } from '../session/tab-configs.ts'
import { choicesOf, setChoices } from '../sync/choices/choices-store.ts'

export function carryOver(name: string, to: string): void {
  changeTabConfigs(to, () => followConnector(tabConfigsOf(name), name, to))
  setChoices(to, choicesOf(name))
}

/** Unsaved text by the new name, for the session that opens under it. */
const carriedTexts = new Map<string, string>()

export function carryText(name: string, text: string): void {
  carriedTexts.set(name, text)
}

export function carriedText(name: string): string | null {
  return carriedTexts.get(name) ?? null
}

export function forgetCarriedText(name: string): void {
  carriedTexts.delete(name)
}
