/** Somebody else changed the open connector: take it over where nothing of ours is lost, ask where something is. */
import { useEffect } from 'react'
import { type Change, onChange } from '../api/changes.ts'
import { AskError } from '../api/ask.ts'
import { openConnector } from '../api/connectors.ts'
import { savingEnded } from './saving.ts'
import type { SessionStore } from './session.ts'

export function useForeignChanges(store: SessionStore): void {
  useEffect(() => onChange((change) => void look(store, change)), [store])
}

async function look(store: SessionStore, change: Change): Promise<void> {
  const { name } = store.get()
  if (change !== null && change.name !== name) return
  // The change may be our own.
  await savingEnded(store)
  if (change !== null && change.version === store.get().saved.version) return
  try {
    const { text, version } = await openConnector(name)
    store.markForeign({ text, version })
  } catch (error) {
    if (error instanceof AskError && error.problem?.status === 404) store.markGone()
  }
}
