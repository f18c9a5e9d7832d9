/** How much a test reads at most. Remembered in this browser: it says nothing about any connector. */
import { recall, remember } from '../local-storage.ts'
import { createStore } from '../store.ts'

export type TestLimits = { readonly maxPages: number; readonly maxSlices: number; readonly maxRecords: number }

/** As the server allows. */
export const most: TestLimits = { maxPages: 1000, maxSlices: 1000, maxRecords: 1_000_000 }
const usual: TestLimits = { maxPages: 5, maxSlices: 5, maxRecords: 1000 }

const place = 'test-limits'
const limits = createStore<TestLimits>(remembered())

export const useLimits = limits.use
export const currentLimits = limits.get

export function setLimits(changed: TestLimits): void {
  limits.set(allowed(changed))
  remember(place, JSON.stringify(limits.get()))
}

function remembered(): TestLimits {
  try {
    return allowed({ ...usual, ...(JSON.parse(recall(place) ?? '{}') as Partial<TestLimits>) })
  } catch {
    return usual
  }
}

function allowed({ maxPages, maxSlices, maxRecords }: TestLimits): TestLimits {
  const within = (wanted: number, fallback: number, greatest: number) =>
    Number.isInteger(wanted) ? Math.min(Math.max(wanted, 1), greatest) : fallback
  return {
    maxPages: within(maxPages, usual.maxPages, most.maxPages),
    maxSlices: within(maxSlices, usual.maxSlices, most.maxSlices),
    maxRecords: within(maxRecords, usual.maxRecords, most.maxRecords),
  }
}
