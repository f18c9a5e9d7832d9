/** Where there is no room for both: whether one edits or tests. */
import { useSyncExternalStore } from 'react'

export type Pane = 'edit' | 'test'

const listeners = new Set<() => void>()
let pane: Pane = 'edit'

export function usePane(): Pane {
  return useSyncExternalStore(subscribe, () => pane)
}

/** Does nothing where both are shown. */
export function showPane(next: Pane): void {
  pane = next
  for (const tell of listeners) tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
