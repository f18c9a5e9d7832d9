/** What was switched off or changed away, so that switching back brings it back. Lives as long as the session. */
import type { Path } from '../../document/value-path.ts'
import type { SessionStore } from './session.ts'
import { useSessionStore } from './use-session.tsx'

const bySession = new WeakMap<SessionStore, Map<string, unknown>>()

export type Remembered = {
  readonly recall: (at: Path, role?: string) => unknown
  readonly remember: (value: unknown, at: Path, role?: string) => void
}

/** Under a place of the manifest, and a role where one place has had several values. */
export function useRemembered(): Remembered {
  const store = useSessionStore()
  const values = bySession.get(store) ?? new Map<string, unknown>()
  bySession.set(store, values)
  const key = (at: Path, role = '') => JSON.stringify([...at, role])
  return {
    recall: (at, role) => values.get(key(at, role)),
    remember: (value, at, role) => void (value !== undefined && values.set(key(at, role), value)),
  }
}
