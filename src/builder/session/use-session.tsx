/** The session, to components: `useSession(({ text }) => text)` renders anew only when the text changes. */
import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react'
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
