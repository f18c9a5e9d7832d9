/**
 * What was typed and not saved, kept by the browser: a tab that crashes loses nothing. The text only, never inputs.
 * Each session has a draft of its own: a tab that saves, or types, leaves those of other tabs alone.
 */
import { keysInStorage, recall, remember } from '../local-storage.ts'
import type { SessionStore } from './session.ts'

export type SavedDraft = {
  /** Where it is kept. */
  readonly key: string
  readonly text: string
  readonly writtenAt: number
}

const restMs = 400

const ids = new WeakMap<SessionStore, string>()

/** Names of connectors have no slash. */
const prefixOf = (name: string) => `draft:${name}/`

function ownKey(store: SessionStore): string {
  const id = ids.get(store) ?? Math.random().toString(36).slice(2)
  ids.set(store, id)
  return prefixOf(store.get().name) + id
}

/** The latest draft of another session that says something else than what is saved; null when there is none. */
export function draftFor(store: SessionStore): SavedDraft | null {
  const { name, saved } = store.get()
  const keys = keysInStorage(prefixOf(name)).filter((key) => key !== ownKey(store))
  const drafts = keys.flatMap((key) => readDraft(key) ?? [])
  const others = drafts.filter(({ text }) => text !== saved.text)
  return others.toSorted((one, other) => other.writtenAt - one.writtenAt)[0] ?? null
}

/** The draft becomes the text of this session, and is kept as its own. */
export function restoreDraft(store: SessionStore, { key, text }: SavedDraft): void {
  store.edit(text)
  writeDraft(store)
  remember(key, null)
}

export function discardDraft({ key }: SavedDraft): void {
  remember(key, null)
}

/** For a session that leaves its text behind. */
export function forgetDraft(store: SessionStore): void {
  remember(ownKey(store), null)
}

/** For a connector that is gone. */
export function forgetDrafts(name: string): void {
  for (const key of keysInStorage(prefixOf(name))) remember(key, null)
}

/** Writes a moment after the last key, and as the page is left, until the returned function is called. */
export function keepDraft(store: SessionStore): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let { text: kept, saved: keptSaved } = store.get()

  function write(): void {
    clearTimeout(timer)
    timer = undefined
    const { text, saved } = store.get()
    kept = text
    keptSaved = saved
    writeDraft(store)
  }

  const forget = store.subscribe(() => {
    const { text, saved } = store.get()
    if (text === kept && saved === keptSaved) return
    clearTimeout(timer)
    timer = setTimeout(write, restMs)
  })
  const writePending = () => {
    if (timer !== undefined) write()
  }
  // Another tab was offered this draft, and restored or discarded it: here it is still unsaved.
  const writeAgain = () => {
    if (timer === undefined && recall(ownKey(store)) === null) write()
  }
  window.addEventListener('pagehide', writePending)
  window.addEventListener('storage', writeAgain)
  return () => {
    clearTimeout(timer)
    forget()
    window.removeEventListener('pagehide', writePending)
    window.removeEventListener('storage', writeAgain)
  }
}

function writeDraft(store: SessionStore): void {
  const { text, saved } = store.get()
  const draft = text === saved.text ? null : JSON.stringify({ text, writtenAt: Date.now() })
  remember(ownKey(store), draft)
}

function readDraft(key: string): SavedDraft | null {
  try {
    const draft = JSON.parse(recall(key) ?? 'null') as Partial<SavedDraft> | null
    if (typeof draft?.text !== 'string' || typeof draft.writtenAt !== 'number') return null
    return { key, text: draft.text, writtenAt: draft.writtenAt }
  } catch {
    return null
  }
}
