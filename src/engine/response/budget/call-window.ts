/** Calls made so far → how long the next one has to wait. The caller passes the time; nothing here waits. */
import type { ReportedQuota } from './reported-quota.ts'

type Rate = { readonly limit: number; readonly intervalMs: number }

export type CallWindow = {
  /** Until so many calls fit; 0 when they do now. */
  waitMs(weight: number, now: number): number
  take(weight: number, now: number): void
  learn(quota: ReportedQuota, now: number): void
}

/** A response may hold a run back for an hour, or for as long as the manifest itself counts: no header stops it for days. */
const longestReportedMs = 3_600_000

function isBelievable(resetsInMs: number | null, { intervalMs }: Rate): resetsInMs is number {
  return resetsInMs !== null && resetsInMs <= Math.max(longestReportedMs, intervalMs)
}

/** How long an exhausted quota stays so: as long as the response says, or a whole interval. */
export function reportedPauseMs(resetsInMs: number | null, rate: Rate): number {
  return isBelievable(resetsInMs, rate) ? Math.max(0, resetsInMs) : rate.intervalMs
}

/** In no stretch of time as long as the interval more calls than the limit. */
export function movingWindow(rate: Rate): CallWindow {
  const { limit, intervalMs } = rate
  /** Oldest first. */
  let calls: { at: number; weight: number }[] = []
  let gone = 0
  let used = 0
  let closedUntil = Number.NEGATIVE_INFINITY

  const forgetBefore = (now: number) => {
    for (let oldest = calls[gone]; oldest !== undefined && oldest.at + intervalMs <= now; oldest = calls[gone]) {
      used -= oldest.weight
      gone++
    }
    if (gone > 1000 && gone > calls.length / 2) [calls, gone] = [calls.slice(gone), 0]
  }
  const add = (weight: number, now: number) => {
    used += weight
    const newest = calls.length > gone ? calls.at(-1) : undefined
    if (newest?.at === now) newest.weight += weight
    else calls.push({ at: now, weight })
  }

  return {
    waitMs(weight, now) {
      forgetBefore(now)
      let missing = used + weight - limit
      let freeAt = closedUntil
      for (let index = gone; missing > 0; index++) {
        const call = calls[index]
        if (call === undefined) break
        missing -= call.weight
        freeAt = Math.max(freeAt, call.at + intervalMs)
      }
      return Math.max(0, freeAt - now)
    },
    take: add,
    // Airbyte: only an exhausted quota counts here; no header says how much is left of which rate.
    learn({ left, resetsInMs }, now) {
      if (left !== 0) return
      forgetBefore(now)
      if (isBelievable(resetsInMs, rate)) closedUntil = Math.max(closedUntil, now + resetsInMs)
      else if (used < limit) add(limit - used, now)
    },
  }
}

/** So many calls, then none until the count starts anew: when the API says, or an interval after the first call. */
export function fixedWindow(rate: Rate): CallWindow {
  const { limit, intervalMs } = rate
  let used = 0
  let endsAt: number | null = null

  const turn = (now: number) => {
    if (endsAt !== null && endsAt <= now) [used, endsAt] = [0, null]
  }
  return {
    waitMs(weight, now) {
      turn(now)
      return used + weight <= limit || endsAt === null ? 0 : endsAt - now
    },
    take(weight, now) {
      turn(now)
      used += weight
      endsAt ??= now + intervalMs
    },
    // Airbyte: a header can only make a quota smaller, so that a manifest may use less than the API grants.
    learn({ left, resetsInMs }, now) {
      turn(now)
      if (left !== null) used = Math.max(used, limit - left)
      if (isBelievable(resetsInMs, rate)) endsAt = now + Math.max(0, resetsInMs)
      else if (used > 0) endsAt ??= now + intervalMs
    },
  }
}
