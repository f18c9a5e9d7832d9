/** Where there is no room for both: whether one edits or tests. */
import { useSyncExternalStore } from 'react'
import { openListeners } from '../listeners.ts'

export type Pane = 'edit' | 'test'

const { subscribe, notify } = openListeners()
let pane: Pane = 'edit'

export function usePane(): Pane {
  return useSyncExternalStore(subscribe, () => pane)
}

/** Does nothing where both are shown. */
export function showPane(next: Pane): void {
  pane = next
  notify()
}
