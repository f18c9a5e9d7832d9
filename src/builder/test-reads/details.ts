/** Which part of the details is looked at: it stays through tests, and other columns may ask for one. */
import { useSyncExternalStore } from 'react'
import { openListeners } from '../listeners.ts'

export type Details = 'request' | 'response' | 'records' | 'schema' | 'logs' | 'receipt' | 'diagnosis' | 'survey'

const { subscribe, notify } = openListeners()
let shown: Details = 'request'

export function useDetails(): Details {
  return useSyncExternalStore(subscribe, () => shown)
}

export function showDetails(next: Details): void {
  shown = next
  notify()
}
