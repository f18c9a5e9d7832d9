/** Unsaved changes: the browser asks before the tab goes, and we ask before another connector is shown. */
import { useEffect, useState } from 'react'
import { goTo, guardLeaving, type AppRoute } from '../router.ts'
import { save } from '../session/saving.ts'
import { forgetDraft } from '../session/draft.ts'
import type { SessionStore } from '../session/session.ts'

export type Leaving = {
  readonly stay: () => void
  readonly leave: () => void
  readonly saveAndLeave: () => void
}

/** What the user has to decide before leaving; null when nothing is pending. */
export function useLeaving(store: SessionStore): Leaving | null {
  const [wanted, setWanted] = useState<AppRoute | null>(null)
  useEffect(() => {
    const isUnsaved = () => store.get().text !== store.get().saved.text
    const warn = (event: BeforeUnloadEvent) => {
      if (isUnsaved()) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    const unguard = guardLeaving((to) => {
      if (!isUnsaved()) return true
      setWanted(to)
      return false
    })
    return () => {
      window.removeEventListener('beforeunload', warn)
      unguard()
    }
  }, [store])

  if (wanted === null) return null
  const leave = () => {
    const { saved } = store.get()
    // The text as saved is what remains: nothing is unsaved any more, and the guard lets go.
    store.edit(saved.text)
    forgetDraft(store)
    goTo(wanted)
  }
  return {
    stay: () => setWanted(null),
    leave,
    async saveAndLeave() {
      setWanted(null)
      if (await save(store)) goTo(wanted)
    },
  }
}
