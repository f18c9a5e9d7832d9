/** A budget that several processes use together: what one of them sends, or is refused, counts for all. */
import type { RatePlan } from './budget.ts'

/** Passed in for one run. Without one, each process counts for itself. */
export interface SharedBudget {
  /** Asks for up to `wanted` calls, so that all processes together stay within each of the rates. */
  lease(key: string, rates: readonly RatePlan[], wanted: number): Promise<Lease>
  /** No process leases calls of this key for so long, and all are told. */
  pause(key: string, ms: number): Promise<void>
  /** Called with the pauses of other processes, those under way included. */
  onPause(listener: (key: string, ms: number) => void): void
}

export type Lease = {
  /** To be used at once after the wait; 0: ask again after it. */
  readonly calls: number
  readonly waitMs: number
}

/** What is stored for a key. Times are those of one clock, in milliseconds. */
export type LeasedCalls = {
  readonly pausedUntil: number
  /** Per rate, oldest first. */
  readonly used: readonly (readonly UsedCalls[])[]
}

export type UsedCalls = { readonly at: number; readonly calls: number }

export const nothingLeased: LeasedCalls = { pausedUntil: 0, used: [] }

/** Calls so far ahead are not lent: a pause that begins before them would come too late for those that have them. */
const horizonMs = 250

/** No process gets more than this part of a limit at a time. */
const largestPart = 0.2

/** How much longer than the interval a call counts: requests may take so much longer to arrive than later ones. */
function guardMs(intervalMs: number): number {
  return Math.min(250, intervalMs * 0.1)
}

/** Calls within this part of an interval are stored as one. */
const grain = 0.02

export function leaseCalls(
  before: LeasedCalls,
  now: number,
  rates: readonly RatePlan[],
  wanted: number,
): { readonly after: LeasedCalls; readonly lease: Lease } {
  const used = rates.map((rate, index) => stillCounted(before.used[index] ?? [], rate, now))
  const at = Math.max(now, before.pausedUntil, ...rates.map((rate, index) => freeAt(used[index] ?? [], rate)))
  const waitMs = Math.ceil(at - now)
  if (waitMs > horizonMs) return { after: { ...before, used }, lease: { calls: 0, waitMs } }
  const free = rates.map((rate, index) =>
    Math.min(rate.limit - sum(stillCounted(used[index] ?? [], rate, at)), Math.ceil(rate.limit * largestPart)),
  )
  const calls = Math.min(wanted, ...free)
  const after = rates.map((rate, index) => withCalls(used[index] ?? [], rate, { at, calls }))
  return { after: { ...before, used: after }, lease: { calls, waitMs } }
}

function stillCounted(used: readonly UsedCalls[], { intervalMs }: RatePlan, now: number): readonly UsedCalls[] {
  return used.filter(({ at }) => at + intervalMs + guardMs(intervalMs) > now)
}

/** When one more call fits. */
function freeAt(used: readonly UsedCalls[], { limit, intervalMs }: RatePlan): number {
  let missing = sum(used) + 1 - limit
  for (const { at, calls } of used) {
    if (missing <= 0) break
    missing -= calls
    if (missing <= 0) return at + intervalMs + guardMs(intervalMs)
  }
  return 0
}

function withCalls(used: readonly UsedCalls[], { intervalMs }: RatePlan, added: UsedCalls): readonly UsedCalls[] {
  const last = used.at(-1)
  if (last === undefined || added.at - last.at > intervalMs * grain) return [...used, added]
  // Counted from the later time on: rather too long than too short.
  return [...used.slice(0, -1), { at: added.at, calls: last.calls + added.calls }]
}

function sum(used: readonly UsedCalls[]): number {
  return used.reduce((total, { calls }) => total + calls, 0)
}
