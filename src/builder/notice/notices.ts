/** Something was done, and can perhaps be undone: one short sentence at a time. */
import { useSyncExternalStore } from 'react'
import { openListeners } from '../listeners.ts'

export type Notice = {
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

const { subscribe, notify } = openListeners()
let notice: Notice | null = null

export function useNotice(): Notice | null {
  return useSyncExternalStore(subscribe, () => notice)
}

export function tellNotice(next: Notice | null): void {
  notice = next
  notify()
}
