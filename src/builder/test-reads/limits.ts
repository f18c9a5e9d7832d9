/** How much a test reads at most. Remembered in this browser: it says nothing about any connector. */
import { useSyncExternalStore } from 'react'
import { recall, remember } from '../local-storage.ts'
import { openListeners } from '../listeners.ts'

export type Limits = { readonly maxPages: number; readonly maxSlices: number; readonly maxRecords: number }

/** As the server allows. */
export const most: Limits = { maxPages: 1000, maxSlices: 1000, maxRecords: 1_000_000 }
const usual: Limits = { maxPages: 5, maxSlices: 5, maxRecords: 1000 }

const place = 'test-limits'
const { subscribe, notify } = openListeners()
let limits: Limits | null = null

export function useLimits(): Limits {
  return useSyncExternalStore(subscribe, currentLimits)
}

export function currentLimits(): Limits {
  limits ??= remembered()
  return limits
}

export function setLimits(changed: Limits): void {
  limits = allowed(changed)
  remember(place, JSON.stringify(limits))
  notify()
}

function remembered(): Limits {
  try {
    return allowed({ ...usual, ...(JSON.parse(recall(place) ?? '{}') as Partial<Limits>) })
  } catch {
    return usual
  }
}

function allowed({ maxPages, maxSlices, maxRecords }: Limits): Limits {
  const within = (wanted: number, fallback: number, greatest: number) =>
    Number.isInteger(wanted) ? Math.min(Math.max(wanted, 1), greatest) : fallback
  return {
    maxPages: within(maxPages, usual.maxPages, most.maxPages),
    maxSlices: within(maxSlices, usual.maxSlices, most.maxSlices),
    maxRecords: within(maxRecords, usual.maxRecords, most.maxRecords),
  }
}
