/** What was typed and not saved, kept by the browser: a tab that crashes loses nothing. The text only, never inputs. */
import { recall, remember } from '../local-storage.ts'
import type { Saved, SessionStore } from './session.ts'

export type SavedDraft = { readonly text: string; readonly basedOn: string; readonly writtenAt: number }

const restMs = 400

const keyOf = (name: string) => `draft:${name}`

/** The draft that says something else than what is saved; null when there is none. */
export function draftOf(name: string, saved: Saved): SavedDraft | null {
  const draft = readDraft(recall(keyOf(name)))
  return draft === null || draft.text === saved.text ? null : draft
}

export function forgetDraft(name: string): void {
  remember(keyOf(name), null)
}

/** Writes a moment after the last key, until the returned function is called. */
export function keepDraft(store: SessionStore): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let { text: kept, saved: keptSaved } = store.get()

  function write(): void {
    const { name, text, saved } = store.get()
    kept = text
    keptSaved = saved
    if (text === saved.text) return forgetDraft(name)
    const draft: SavedDraft = { text, basedOn: saved.version, writtenAt: Date.now() }
    remember(keyOf(name), JSON.stringify(draft))
  }

  const forget = store.subscribe(() => {
    const { text, saved } = store.get()
    if (text === kept && saved === keptSaved) return
    clearTimeout(timer)
    timer = setTimeout(write, restMs)
  })
  return () => {
    clearTimeout(timer)
    forget()
  }
}

function readDraft(text: string | null): SavedDraft | null {
  if (text === null) return null
  try {
    const draft = JSON.parse(text) as Partial<SavedDraft> | null
    return typeof draft?.text === 'string' && typeof draft.writtenAt === 'number' ? (draft as SavedDraft) : null
  } catch {
    return null
  }
}
