/** The session, to components: `useSession(({ text }) => text)` renders anew only when the text changes. */
import { createContext, type ReactNode, useContext, useRef, useSyncExternalStore } from 'react'
import { isSame } from '../../document/value-path.ts'
import type { Session, SessionStore } from './session.ts'

const SessionContext = createContext<SessionStore | null>(null)

export function SessionProvider({ store, children }: { store: SessionStore; children: ReactNode }) {
  return <SessionContext value={store}>{children}</SessionContext>
}

export function useSessionStore(): SessionStore {
  const store = useContext(SessionContext)
  if (store === null) throw new Error('There is no session around this component.')
  return store
}

/** @param choose must give the same value for the same session: choose a member, do not make one. */
export function useSession<Chosen>(choose: (session: Session) => Chosen): Chosen {
  const store = useSessionStore()
  return useSyncExternalStore(store.subscribe, () => choose(store.get()))
}

/**
 * What `make` makes of the manifest; the component renders anew only when that differs.
 * @param key names what is made, where `make` depends on more than the manifest
 */
export function useOfManifest<Made>(make: (root: unknown) => Made, key = ''): Made {
  const store = useSessionStore()
  const last = useRef<{ readonly root: unknown; readonly key: string; readonly made: Made } | null>(null)
  return useSyncExternalStore(store.subscribe, () => {
    const { value: root } = store.get().document
    const before = last.current?.key === key ? last.current : null
    if (before !== null && before.root === root) return before.made
    const made = make(root)
    const isUnchanged = before !== null && isSame(before.made, made)
    last.current = { root, key, made: isUnchanged ? before.made : made }
    return last.current.made
  })
}
