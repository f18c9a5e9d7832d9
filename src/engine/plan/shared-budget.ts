/** A budget that several processes use together: what one of them sends, or is refused, counts for all. */
import type { RatePlan } from './budget.ts'

/** Passed in for one run. Without one, each process counts for itself. */
export interface SharedBudget {
  /**
   * Asks for up to `wanted` calls, so that all processes together stay within each of the rates. `ended`: the calls of
   * earlier leases that were responded to, or failed, since the last question.
   */
  lease(key: string, rates: readonly RatePlan[], wanted: number, ended: readonly EndedCalls[]): Promise<Lease>
  /** No process leases calls of this key for so long, and all are told. */
  pause(key: string, ms: number): Promise<void>
  /** Called with the pauses of other processes, those under way included. */
  onPause(listener: (key: string, ms: number) => void): void
}

/** A span, not a moment: the clocks of machines differ. */
export type EndedCalls = { readonly agoMs: number; readonly calls: number }

export type Lease = {
  /** To be used at once. */
  readonly calls: number
  /** When to ask again; 0 where all wanted calls were lent. */
  readonly waitMs: number
}

/** What is stored for a key. Times are those of one clock, in milliseconds. */
export type LeasedCalls = {
  readonly pausedUntil: number
  /** Calls that have not ended, by process. */
  readonly underWay: Readonly<Record<string, UsedCalls>>
  /** Calls that ended: per rate, oldest first. */
  readonly used: readonly (readonly UsedCalls[])[]
}

/** `at`: when they were lent last, or ended. */
export type UsedCalls = { readonly at: number; readonly calls: number }

export const nothingLeased: LeasedCalls = { pausedUntil: 0, underWay: {}, used: [] }

/** A process that does not report for so long has ended; its calls count as ended then. */
const lostAfterMs = 60_000

/** Calls that ended within this part of an interval are stored as one. */
const grain = 0.02

/** It is worth waiting until this part of a limit is free: fewer questions, and hardly fewer calls. */
const smallestPart = 0.04

/** How soon to ask again where only calls under way are waited for: they end when they end. */
const retryMs = 20

export type LeaseInput = {
  /** Who asks. */
  readonly process: string
  readonly now: number
  readonly rates: readonly RatePlan[]
  readonly wanted: number
  readonly ended: readonly EndedCalls[]
}

/**
 * A call counts from its lease until an interval after its end. The API receives it in between, so however long requests
 * are on their way, no interval of the API's clock has more calls than the limit.
 */
export function leaseCalls(
  before: LeasedCalls,
  { process, now, rates, wanted, ended }: LeaseInput,
): { readonly after: LeasedCalls; readonly lease: Lease } {
  const { underWay, over } = settle(before.underWay, process, now, ended)
  const used = rates.map((rate, index) => withEnded(before.used[index] ?? [], rate, over, now))
  const open = sum(Object.values(underWay))
  const free = Math.min(...rates.map(({ limit }, index) => limit - open - sum(used[index] ?? [])))
  const calls = before.pausedUntil > now ? 0 : Math.max(0, Math.min(wanted, free))
  const own = (underWay[process]?.calls ?? 0) + calls
  const after: LeasedCalls = {
    ...before,
    underWay: own === 0 ? underWay : { ...underWay, [process]: { at: now, calls: own } },
    used,
  }
  const missing = wanted - calls
  if (missing === 0) return { after, lease: { calls, waitMs: 0 } }
  const freeAt = rates.map((rate, index) => whenFree(used[index] ?? [], rate, missing, open + calls))
  return {
    after,
    lease: { calls, waitMs: Math.ceil(Math.max(retryMs, before.pausedUntil - now, Math.max(...freeAt) - now)) },
  }
}

/** Calls that ended move out of those under way; so do those of processes that are gone. */
function settle(
  before: LeasedCalls['underWay'],
  process: string,
  now: number,
  ended: readonly EndedCalls[],
): { readonly underWay: LeasedCalls['underWay']; readonly over: readonly UsedCalls[] } {
  const left = (before[process]?.calls ?? 0) - ended.reduce((total, { calls }) => total + calls, 0)
  const all = Object.entries({ ...before, [process]: { at: now, calls: Math.max(0, left) } })
  const isLost = ({ at }: UsedCalls) => at + lostAfterMs <= now
  const lost = all.filter(([, one]) => isLost(one)).map(([, { at, calls }]) => ({ at: at + lostAfterMs, calls }))
  return {
    underWay: Object.fromEntries(all.filter(([, one]) => !isLost(one) && one.calls > 0)),
    over: [...lost, ...ended.map(({ agoMs, calls }) => ({ at: now - agoMs, calls }))],
  }
}

function withEnded(
  before: readonly UsedCalls[],
  { intervalMs }: RatePlan,
  over: readonly UsedCalls[],
  now: number,
): readonly UsedCalls[] {
  const kept: UsedCalls[] = []
  for (const one of [...before, ...over].toSorted((first, second) => first.at - second.at)) {
    if (one.at + intervalMs <= now) continue
    const last = kept.at(-1)
    // Counted from the later time on: rather too long than too short.
    if (last === undefined || Math.floor(one.at / (intervalMs * grain)) !== Math.floor(last.at / (intervalMs * grain)))
      kept.push(one)
    else kept[kept.length - 1] = { at: one.at, calls: last.calls + one.calls }
  }
  return kept
}

/** When as many calls fit as are worth a question; 0 where that depends on calls under way. */
function whenFree(used: readonly UsedCalls[], { limit, intervalMs }: RatePlan, wanted: number, open: number): number {
  let missing = Math.min(wanted, Math.ceil(limit * smallestPart)) + open + sum(used) - limit
  let freeAt = 0
  for (const { at, calls } of used) {
    if (missing <= 0) break
    missing -= calls
    freeAt = at + intervalMs
  }
  return freeAt
}

function sum(used: readonly UsedCalls[]): number {
  return used.reduce((total, { calls }) => total + calls, 0)
}
