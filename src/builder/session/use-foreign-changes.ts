/** Somebody else changed the open connector: take it over where nothing of ours is lost, ask where something is. */
import { useEffect } from 'react'
import { onChange } from '../api/changes.ts'
import { AskError } from '../api/ask.ts'
import { openConnector } from '../api/connectors.ts'
import { savingEnded } from './saving.ts'
import type { SessionStore } from './session.ts'

export function useForeignChanges(store: SessionStore): void {
  useEffect(() => {
    let latest = 0
    return onChange((change) => {
      const { name } = store.get()
      if (change !== null && change.name !== name) return
      const turn = ++latest
      void look(store, change?.version, () => turn === latest)
    })
  }, [store])
}

/**
 * @param told the version that was told of; null where the connector is gone, undefined where nothing was told.
 * @param isLatest what an earlier look finds may be older than what a later one found.
 */
async function look(store: SessionStore, told: string | null | undefined, isLatest: () => boolean): Promise<void> {
  // The change may be our own.
  await savingEnded(store)
  const { name, saved, foreign, isGone } = store.get()
  if (told === saved.version && foreign === null && !isGone) return
  try {
    const { text, version } = await openConnector(name)
    await savingEnded(store)
    if (!isLatest()) return
    // Saved meanwhile: what was found may be what we have replaced.
    if (store.get().saved !== saved) return await look(store, undefined, isLatest)
    store.markForeign({ text, version })
  } catch (error) {
    if (isLatest() && error instanceof AskError && error.problem?.status === 404) store.markGone()
  }
}
