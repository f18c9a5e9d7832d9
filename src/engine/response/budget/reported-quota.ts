/** Headers of a response → what they say about the quota. */
import type { HttpResponse } from '../http-response.ts'

/** Null where the response says nothing. */
export type ReportedQuota = { readonly left: number | null; readonly resetsInMs: number | null }

export type QuotaHeaders = { readonly remainingHeader: string; readonly resetHeader: string }

export function reportedQuota(headers: HttpResponse['headers'], names: QuotaHeaders, now: number): ReportedQuota {
  return {
    left: numberIn(headers[names.remainingHeader]),
    resetsInMs: resetInMs(numberIn(headers[names.resetHeader]), now),
  }
}

/** 2001 in seconds: a smaller number is a wait, a larger one is a date. */
const earliestEpochSeconds = 1e9
/** 1973 in milliseconds, and the year 5138 in seconds. */
const earliestEpochMs = 1e11

/** APIs send the seconds to wait, as the drafts for `RateLimit-Reset` do, or a moment in seconds or milliseconds since 1970. */
function resetInMs(quota: number | null, now: number): number | null {
  if (quota === null) return null
  if (quota < earliestEpochSeconds) return quota * 1000
  return (quota < earliestEpochMs ? quota * 1000 : quota) - now
}

function numberIn(text: string | undefined): number | null {
  return text !== undefined && /^\s*\d{1,15}(\.\d+)?\s*$/.test(text) ? Number(text) : null
}
