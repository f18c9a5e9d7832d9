/** The open connector was changed elsewhere: load the change if nothing is lost, otherwise ask. */
import { useEffect, useRef } from 'react'
import { onChange } from '../api/listen-for-changes.ts'
import { AskError } from '../api/ask.ts'
import { openConnector } from '../api/connectors.ts'
import { showNotice } from '../notice/notices.ts'
import { savingEnded } from './saving.ts'
import type { SessionStore } from './session.ts'

/** @param onRenamed follows it to its new name. */
export function useForeignChanges(store: SessionStore, onRenamed: (to: string) => void): void {
  const rename = useRef(onRenamed)
  useEffect(() => {
    rename.current = onRenamed
  })
  useEffect(() => {
    let latest = 0
    return onChange((change) => {
      const { name } = store.get()
      if (change !== null && change.name !== name) return
      if (change?.renamedTo !== undefined) {
        showNotice({ text: `${name} is called ${change.renamedTo} now.` })
        rename.current(change.renamedTo)
        return
      }
      const turn = ++latest
      void checkForChange(store, change?.version, () => turn === latest)
    })
  }, [store])
}

/**
 * @param reported the version; null if the connector is gone, undefined if none was reported.
 * @param isLatest the result of an earlier check may be older than that of a later one.
 */
async function checkForChange(
  store: SessionStore,
  reported: string | null | undefined,
  isLatest: () => boolean,
): Promise<void> {
  // The change may be our own.
  await savingEnded(store)
  const { name, saved, foreign, isGone } = store.get()
  if (reported === saved.version && foreign === null && !isGone) return
  try {
    const { text, version } = await openConnector(name)
    await savingEnded(store)
    if (!isLatest()) return
    // Saved in between: what was found may be what we have replaced.
    if (store.get().saved !== saved) return await checkForChange(store, undefined, isLatest)
    store.markForeign({ text, version })
  } catch (error) {
    if (isLatest() && error instanceof AskError && error.problem?.status === 404) store.markGone()
  }
}
