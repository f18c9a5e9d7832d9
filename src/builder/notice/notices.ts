/** Something was done, and can perhaps be undone: one short sentence at a time. */
import { useSyncExternalStore } from 'react'

export type Notice = {
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

const listeners = new Set<() => void>()
let notice: Notice | null = null

export function useNotice(): Notice | null {
  return useSyncExternalStore(subscribe, () => notice)
}

export function tellNotice(next: Notice | null): void {
  notice = next
  for (const tell of listeners) tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
