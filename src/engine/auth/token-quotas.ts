/** How many calls are left of each of several tokens: counted here, corrected by what the API reports. */

/** What is left of one pool of calls. */
export type Quota = {
  readonly remaining: number
  /** Milliseconds since 1970. */
  readonly resetsAt: number
  readonly limit: number
}

/** The quotas of a token by the name of their pool; null where the API counts no calls. */
export type Quotas = ReadonlyMap<string, Quota> | null

/** What a response says of the pool that its request was counted in; null where it does not say. */
export type QuotaReport = {
  readonly remaining: number | null
  readonly resetsAt: number | null
  readonly limit: number | null
  /** Its status says that nothing is left. */
  readonly isRefused: boolean
}

export type TakenCall = {
  readonly token: string
  /** How long to wait before the call, so that what is left lasts until the reset. */
  readonly waitMs: number
  /** For a call that was not made. */
  readonly giveBack: () => void
}

export type TokenQuotas = {
  /** What the API says takes the place of all that was counted. */
  readonly set: (quotas: ReadonlyMap<string, Quotas>) => void
  /** Counts one call, of the token in use as long as one is left; null when no token has one. */
  readonly take: (pool: string, now: number) => TakenCall | null
  readonly learn: (token: string, pool: string, report: QuotaReport) => void
  /** No token has a call left. */
  readonly isSpent: (pool: string) => boolean
  /** When the first of the tokens has calls again. */
  readonly resetsAt: (pool: string) => number
  /** Nothing is left of this token, and something of another. */
  readonly hasOther: (token: string, pool: string) => boolean
}

type Reserve = { readonly fraction: number; readonly least: number }

/** Airbyte: the longest wait that spreads requests. */
const longestSpreadMs = 10_000

/** Airbyte: status endpoint and headers may disagree about the reset by this much and mean the same. */
const sameResetMs = 60_000

/** A reset in whole seconds from now is a little later in one response than in another. */
const roundingMs = 2000

/** The tokens are used in their order, and all of them before any is used again. */
export function countCalls(tokens: readonly string[], reserve: Reserve): TokenQuotas {
  let counted = new Map<string, Map<string, Quota> | null>()
  let inUse = 0

  const quotaOf = (token: string, pool: string) => counted.get(token)?.get(pool)
  const put = (token: string, pool: string, quota: Quota) => void counted.get(token)?.set(pool, quota)
  const quotasIn = (pool: string) => tokens.map((token) => quotaOf(token, pool))

  /** Where every token has come to its reserve. */
  const spreadMs = (pool: string, resetsAt: number, now: number): number => {
    const quotas = quotasIn(pool)
    const isShort = quotas.every((quota) => quota !== undefined && quota.remaining <= reserveOf(quota, reserve))
    const left = quotas.reduce((sum, quota) => sum + Math.max(quota?.remaining ?? 0, 0), 0)
    if (!isShort || left === 0 || resetsAt <= now) return 0
    return Math.min((resetsAt - now) / left, longestSpreadMs)
  }

  return {
    set(quotas) {
      counted = new Map([...quotas].map(([token, pools]) => [token, pools && new Map(pools)]))
    },
    take(pool, now) {
      const count = counted
      for (let tried = 0; tried < tokens.length; tried++) {
        const token = tokens[inUse] as string
        const quota = quotaOf(token, pool)
        if (quota !== undefined && quota.remaining > 0) {
          put(token, pool, { ...quota, remaining: quota.remaining - 1 })
          const giveBack = () => {
            const current = quotaOf(token, pool)
            // A later count does not have this call in it.
            if (counted !== count || current === undefined || current.resetsAt !== quota.resetsAt) return
            put(token, pool, { ...current, remaining: current.remaining + 1 })
          }
          return { token, waitMs: spreadMs(pool, quota.resetsAt, now), giveBack }
        }
        inUse = (inUse + 1) % tokens.length
        // Nothing tells such tokens apart, so each serves one call.
        if (counted.get(token) === null) return { token, waitMs: 0, giveBack() {} }
      }
      return null
    },
    learn(token, pool, report) {
      const quota = quotaOf(token, pool)
      if (quota !== undefined) put(token, pool, corrected(quota, report))
    },
    isSpent: (pool) => quotasIn(pool).every((quota) => quota !== undefined && quota.remaining <= 0),
    resetsAt: (pool) => Math.min(...quotasIn(pool).map((quota) => quota?.resetsAt ?? Number.POSITIVE_INFINITY)),
    hasOther(token, pool) {
      const own = quotaOf(token, pool)
      if (own === undefined || own.remaining > 0) return false
      return quotasIn(pool).some((quota) => quota !== undefined && quota.remaining > 0)
    },
  }
}

function reserveOf({ limit }: Quota, { fraction, least }: Reserve): number {
  return Math.max(least, limit * fraction)
}

/**
 * A later reset begins a new count. Within one, only a smaller number is believed: responses arrive out of order, and calls that
 * are under way are not in their counts. What an earlier count says is over, except that nothing is left where the call was refused for it.
 */
function corrected(quota: Quota, { remaining, resetsAt, limit, isRefused }: QuotaReport): Quota {
  const isEarlier = resetsAt !== null && resetsAt < quota.resetsAt
  const known = limit !== null && limit > 0 && !isEarlier ? { ...quota, limit } : quota
  if (resetsAt !== null && resetsAt > quota.resetsAt + roundingMs) {
    return { ...known, resetsAt, remaining: remaining ?? known.limit }
  }
  const isOver = resetsAt !== null && resetsAt < quota.resetsAt - sameResetMs
  if (remaining === null || (isOver && !(remaining <= 0 && isRefused))) return known
  return { ...known, remaining: Math.min(known.remaining, remaining) }
}
