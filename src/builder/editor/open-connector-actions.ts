/** What can be done with the connector that is open, as a whole. */
import { duplicate, remove, rename } from '../connectors/actions.ts'
import { goTo } from '../router.ts'
import { carryText } from '../connectors/carry-over.ts'
import { forgetDrafts } from '../session/draft.ts'
import type { SessionStore } from '../session/session.ts'

/** A copy of what is seen, saved or not. */
export async function duplicateOpen(store: SessionStore): Promise<void> {
  const { name, text } = store.get()
  await duplicate(name, text)
}

export async function deleteOpen(store: SessionStore): Promise<void> {
  const { name } = store.get()
  if (!(await remove(name))) return
  loseNothing(store)
  goTo({ connector: null, part: null })
}

/** @returns why not; null where it was renamed. */
export async function renameOpen(store: SessionStore, to: string): Promise<string | null> {
  const refusal = await rename(store.get().name, to)
  if (refusal === null) followRename(store, to)
  return refusal
}

/** What was typed and not saved goes along: it is unsaved under the new name. */
export function followRename(store: SessionStore, to: string): void {
  const { text, saved } = store.get()
  if (text !== saved.text) carryText(to, text)
  loseNothing(store)
  goTo({ connector: to })
}

/** Nothing is left that leaving could lose. */
function loseNothing(store: SessionStore): void {
  const { name, saved } = store.get()
  store.edit(saved.text)
  forgetDrafts(name)
}
