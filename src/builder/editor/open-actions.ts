/** What the header does with the open connector as a whole. */
import { duplicate, remove } from '../connectors/actions.ts'
import { goTo } from '../router.ts'
import { forgetDraft } from '../session/draft.ts'
import type { SessionStore } from '../session/session.ts'

/** A copy of what is seen, saved or not. */
export async function duplicateOpen(store: SessionStore): Promise<void> {
  const { name, text } = store.get()
  await duplicate(name, text)
}

export async function deleteOpen(store: SessionStore): Promise<void> {
  const { name, saved } = store.get()
  if (!(await remove(name))) return
  // Nothing is left that leaving could lose.
  store.edit(saved.text)
  forgetDraft(name)
  goTo({ connector: null, part: null })
}
