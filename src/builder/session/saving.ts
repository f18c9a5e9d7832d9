/** Saving the open connector: one save at a time, and a conflict becomes something to decide, never a loss. */
import { useSyncExternalStore } from 'react'
import { AskError } from '../api/ask.ts'
import { createConnector, openConnector, saveConnector } from '../api/connectors.ts'
import { onReturn } from '../api/reach.ts'
import type { SessionStore } from './session.ts'
import { useSession, useSessionStore } from './use-session.tsx'
import { openListeners } from '../listeners.ts'

export type SaveState =
  | { readonly kind: 'saved' | 'unsaved' | 'saving' }
  /** Will be tried again when the server is back. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'failed'; readonly message: string }

type Attempt = 'none' | 'saving' | 'waiting' | AskError

const attempts = new WeakMap<SessionStore, Attempt>()
const running = new WeakMap<SessionStore, Promise<boolean>>()
const { subscribe, notify } = openListeners()

/** Whether the text is saved. */
export function useSaveState(): SaveState {
  const store = useSessionStore()
  const isSame = useSession(({ text, saved }) => text === saved.text)
  const attempt = useSyncExternalStore(subscribe, () => attempts.get(store) ?? 'none')
  if (attempt === 'saving' || attempt === 'waiting') return { kind: attempt }
  if (isSame) return { kind: 'saved' }
  return attempt === 'none' ? { kind: 'unsaved' } : { kind: 'failed', message: attempt.message }
}

/** Saves the current text. @returns whether it is on disk now. */
export function save(store: SessionStore): Promise<boolean> {
  const saving = savingEnded(store).then(() => saveNow(store))
  running.set(store, saving)
  return saving
}

/** Resolves when no save is running: only then is a change on disk known to come from elsewhere. */
export async function savingEnded(store: SessionStore): Promise<void> {
  // Its error is reported to the caller of `save`.
  await running.get(store)?.catch(() => {})
}

async function saveNow(store: SessionStore): Promise<boolean> {
  const { name, text, saved, isGone } = store.get()
  if (text === saved.text && !isGone) return true
  note(store, 'saving')
  try {
    const { version } = isGone
      ? await createConnector({ name, text })
      : await saveConnector(name, { text, basedOn: saved.version })
    store.markSaved({ text, version })
    note(store, 'none')
    return true
  } catch (error) {
    if (!(error instanceof AskError)) throw error
    await settle(store, error)
    return false
  }
}

async function settle(store: SessionStore, error: AskError): Promise<void> {
  if (error.problem === null) return waitForServer(store)
  note(store, error)
  if (error.problem.status === 404) store.markGone()
  if (error.problem.status === 409) await findForeign(store)
}

/** Loads what is on disk instead. If that fails, or is what we started from, the refusal stays, and saving again tries again. */
async function findForeign(store: SessionStore): Promise<void> {
  try {
    const { text, version } = await openConnector(store.get().name)
    if (version === store.get().saved.version) return
    store.markForeign({ text, version })
    note(store, 'none')
  } catch (error) {
    if (!(error instanceof AskError)) throw error
  }
}

function waitForServer(store: SessionStore): void {
  note(store, 'waiting')
  const forget = onReturn(() => {
    forget()
    if (attempts.get(store) === 'waiting') void save(store)
  })
}

function note(store: SessionStore, attempt: Attempt): void {
  attempts.set(store, attempt)
  notify()
}
